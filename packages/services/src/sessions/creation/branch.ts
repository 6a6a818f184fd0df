import type { ProjectRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { createBranch, type Repository, resolveBranch, tips } from '@svc/git'

export interface SessionBranch {
  readonly branch: string
  readonly base_ref: string
}

/**
 * The commit that a session starts from. Null in an empty repository, where the session makes the first commit; any
 * other missing base is refused.
 */
export async function baseTip(
  repository: Repository,
  project: ProjectRow,
  base_ref: string,
): Promise<string | null> {
  const tip = await resolveBranch(repository, base_ref)
  if (tip !== null) return tip
  if (base_ref === project.default_branch && (await tips(repository)).size === 0) return null
  throw new ServiceError(
    'REF_NOT_FOUND',
    `The repository has no branch named ${JSON.stringify(base_ref)}; push it first, or name another base_ref`,
    {
      issues: [{ path: 'base_ref', message: 'names no branch' }],
    },
  )
}

/** Cuts the session's branch unless it is already there. May be repeated. */
export async function ensureBranch(
  repository: Repository,
  project: ProjectRow,
  { branch, base_ref }: SessionBranch,
): Promise<void> {
  if ((await resolveBranch(repository, branch)) !== null) return
  const at_sha = await baseTip(repository, project, base_ref)
  if (at_sha === null) return
  const outcome = await createBranch(repository, { branch, at_sha })
  if (outcome.kind === 'rejected') throw new ServiceError('repository_push_rejected', outcome.message)
}
