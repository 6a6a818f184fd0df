import { type Changes, changesBetween } from '../files/diff.ts'
import type { Commit } from '../parse/log.ts'
import { requireShas } from '../refs/ref-name.ts'
import { type Repository, tryGit } from '../repository.ts'
import { listCommits } from './list-commits.ts'

export interface ShownCommit extends Changes {
  readonly commit: Commit
}

/** Known to git whether or not a repository holds it: the first commit is compared with it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** A commit and what it changed of its first parent; null where no branch holds it, since it may be hidden then. */
export async function showCommit(
  repository: Repository,
  { commit_sha, max_patch_bytes }: { readonly commit_sha: string; readonly max_patch_bytes: number },
): Promise<ShownCommit | null> {
  requireShas(commit_sha)
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit_sha}`, 'refs/heads/']
  const held = await tryGit(repository, args)
  if (held.exit_code !== 0 || held.stdout.length === 0) return null
  const [commit] = (await listCommits(repository, { ref: commit_sha, limit: 1 })).commits
  if (commit === undefined) return null
  const range = [commit.parents[0] ?? emptyTree, commit_sha] as const
  return { commit, ...(await changesBetween(repository, range, { max_patch_bytes })) }
}
