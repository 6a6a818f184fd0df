import { GitError } from '../runner/git-error.ts'
import { conflictMessage, conflictPaths, nameSides, ownPaths, parseMergeTree } from '../parse/merge-tree.ts'
import { type Repository, tryGit } from '../repository.ts'

export type MergeTreeOutcome =
  | { readonly kind: 'clean'; readonly tree_sha: string }
  | { readonly kind: 'conflict'; readonly conflicts: readonly string[]; readonly message: string }
  | { readonly kind: 'unrelated' }

/** A three-way merge of two commits without a working tree; the resulting tree is in the object store. */
export async function mergeTree(
  repository: Repository,
  { base_sha, head_sha }: { readonly base_sha: string; readonly head_sha: string },
): Promise<MergeTreeOutcome> {
  const args = [
    'merge-tree',
    '--write-tree',
    '--name-only',
    '--messages',
    '-z',
    '--end-of-options',
    base_sha,
    head_sha,
  ]
  const result = await tryGit(repository, args)
  if (result.exit_code === 0) return { kind: 'clean', tree_sha: parseMergeTree(result.stdout).tree_sha }
  if (result.exit_code === 1) {
    const output = parseMergeTree(result.stdout)
    const sides = { base: base_sha, head: head_sha }
    return {
      kind: 'conflict',
      conflicts: ownPaths(conflictPaths(output), sides),
      message: nameSides(conflictMessage(output.messages), sides),
    }
  }
  if (result.stderr.includes('unrelated histories')) return { kind: 'unrelated' }
  throw new GitError('merge-tree', result.exit_code, result.stderr)
}
