import { GitError } from '../runner/git-error.ts'
import { type Repository, tryGit } from '../repository.ts'

/** Is the first commit reachable from the second? A commit is reachable from itself. */
export async function isAncestor(
  repository: Repository,
  ancestor_sha: string,
  descendant_sha: string,
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', '--end-of-options', ancestor_sha, descendant_sha]
  const { exit_code, stderr } = await tryGit(repository, args)
  if (exit_code === 0 || exit_code === 1) return exit_code === 0
  throw new GitError('merge-base --is-ancestor', exit_code, stderr)
}
