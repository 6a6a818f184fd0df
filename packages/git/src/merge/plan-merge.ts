import { commitTree } from '../commits/commit-tree.ts'
import { compareCommits } from '../history/compare-commits.ts'
import { mergeTree } from './merge-tree.ts'
import { requireShas } from '../refs/ref-name.ts'
import type { Repository } from '../repository.ts'

export type MergePlan =
  | { readonly kind: 'fast_forward'; readonly commit_sha: string }
  | { readonly kind: 'merge_commit'; readonly commit_sha: string; readonly tree_sha: string }
  | { readonly kind: 'conflict'; readonly conflicts: readonly string[]; readonly message: string }
  | { readonly kind: 'up_to_date' }
  | { readonly kind: 'unrelated' }

export interface MergeRequest {
  readonly base_sha: string
  readonly head_sha: string
  readonly message: string
  readonly committed_at: Date
}

/**
 * Decides how head enters base and writes the merge commit when one is needed. No ref moves. The same request gives
 * the same commit, so a plan can be made again after a crash.
 */
export async function planMerge(repository: Repository, request: MergeRequest): Promise<MergePlan> {
  const { base_sha, head_sha, message, committed_at } = request
  requireShas(base_sha, head_sha)
  const { merge_base } = await compareCommits(repository, request)
  if (merge_base === head_sha) return { kind: 'up_to_date' }
  if (merge_base === base_sha) return { kind: 'fast_forward', commit_sha: head_sha }
  if (merge_base === null) return { kind: 'unrelated' }
  const merged = await mergeTree(repository, request)
  if (merged.kind !== 'clean') return merged
  const { tree_sha } = merged
  const parents = [base_sha, head_sha]
  const commit_sha = await commitTree(repository, { tree_sha, parents, message, committed_at })
  return { kind: 'merge_commit', commit_sha, tree_sha }
}
