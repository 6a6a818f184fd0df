import { GitError } from '../runner/git-error.ts'
import { type Repository, tryGit } from '../repository.ts'

/** The best common ancestor, or null when the histories share nothing. */
export async function mergeBase(
  repository: Repository,
  a_sha: string,
  b_sha: string,
): Promise<string | null> {
  const result = await tryGit(repository, ['merge-base', '--end-of-options', a_sha, b_sha])
  if (result.exit_code === 0) return result.stdout.toString('latin1').trim()
  if (result.exit_code === 1) return null
  throw new GitError('merge-base', result.exit_code, result.stderr)
}
