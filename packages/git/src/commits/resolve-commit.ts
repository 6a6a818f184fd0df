import { ServiceError } from '@svc/errors'
import { branchRef, isSha } from '../refs/ref-name.ts'
import { type Repository, tryGit } from '../repository.ts'
import { resolveBranch } from '../refs/resolve-branch.ts'

/**
 * The commit meant by a branch, a tag or a SHA of at least seven digits, in this order; refuses anything else. A whole
 * SHA is never a name, as in git.
 */
export async function resolveCommit(repository: Repository, ref_or_sha: string): Promise<string> {
  const name = ref_or_sha.replace(/^refs\/(heads|tags)\//, '')
  const branch = isSha(ref_or_sha) ? null : await resolveBranch(repository, name)
  const commit = branch ?? (await resolveObject(repository, name))
  if (commit === null) throw noSuchRef(name)
  return commit
}

export function noSuchRef(name: string): ServiceError {
  return new ServiceError(
    'REF_NOT_FOUND',
    `There is no ref named ${JSON.stringify(name)}; list the branches, or push it first.`,
  )
}

async function resolveObject(repository: Repository, name: string): Promise<string | null> {
  const candidates = [
    ...(isSha(name) || branchRef(name) === null ? [] : [`refs/tags/${name}`]),
    ...(/^[0-9a-f]{7,40}$/.test(name) ? [name] : []),
  ]
  for (const candidate of candidates) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${candidate}^{commit}`]
    const { exit_code, stdout } = await tryGit(repository, args)
    const sha = stdout.toString('latin1').trim()
    if (exit_code === 0 && isSha(sha)) return sha
  }
  return null
}
