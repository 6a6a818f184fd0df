import { type CommitPair, compareCommits } from '../history/compare-commits.ts'
import { mergeTree } from './merge-tree.ts'
import { requireShas } from '../refs/ref-name.ts'
import type { Repository } from '../repository.ts'

export interface MergeVerdict {
  readonly base_sha: string
  readonly head_sha: string
  /** Null when the histories are unrelated. */
  readonly merge_base: string | null
  /** Head is reachable from base. */
  readonly is_up_to_date: boolean
  readonly can_merge: boolean
  readonly can_fast_forward: boolean
  readonly conflicts: readonly string[]
  readonly ahead: number
  readonly behind: number
}

/** The outcome of merging head into base. It depends on the two commits alone, so it is worked out once for a pair. */
export async function previewCommits(repository: Repository, pair: CommitPair): Promise<MergeVerdict> {
  requireShas(pair.base_sha, pair.head_sha)
  const key = `${repository.git_dir} ${pair.base_sha} ${pair.head_sha}`
  const known = repository.previews.get(key)
  if (known) return known
  const verdict = await judge(repository, pair)
  repository.previews.set(key, verdict)
  return verdict
}

async function judge(repository: Repository, pair: CommitPair): Promise<MergeVerdict> {
  const { base_sha, head_sha } = pair
  const { merge_base, ahead, behind } = await compareCommits(repository, pair)
  const is_up_to_date = merge_base === head_sha
  const can_fast_forward = merge_base === base_sha && !is_up_to_date
  // Only where both sides went on is there anything to merge.
  const both = merge_base !== null && !is_up_to_date && !can_fast_forward
  const merged = both ? await mergeTree(repository, pair) : null
  return {
    base_sha,
    head_sha,
    merge_base,
    is_up_to_date,
    can_merge: can_fast_forward || merged?.kind === 'clean',
    can_fast_forward,
    conflicts: merged?.kind === 'conflict' ? merged.conflicts : [],
    ahead,
    behind,
  }
}
