import { ServiceError } from '@svc/errors'
import { isAncestor, type Repository, resolveCommit } from '@svc/git'

/** True when the history of `tip` holds the commit; false for a commit that this copy does not have. */
export async function containsCommit(
  repository: Repository,
  tip: string,
  commit_sha: string,
): Promise<boolean> {
  return (await hasCommit(repository, commit_sha)) && isAncestor(repository, commit_sha, tip)
}

export async function hasCommit(repository: Repository, commit_sha: string): Promise<boolean> {
  try {
    await resolveCommit(repository, commit_sha)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'REF_NOT_FOUND') return false
    throw error
  }
}
