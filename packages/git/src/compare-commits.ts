import type { AheadBehind } from './ahead-behind.ts'
import { mergeBase } from './merge-base.ts'
import { countSides } from './parse/left-right.ts'
import { gitText, type Repository } from './repository.ts'

export interface Comparison extends AheadBehind {
  /** Null when the histories share nothing. */
  readonly merge_base: string | null
}

/**
 * Both counts and the merge base by one walk over the commits that only one side has. Every merge base is among the
 * commits where that walk ends, so a single end is the only merge base; of several, git picks the best.
 */
export async function compareCommits(
  repository: Repository,
  { base_sha, head_sha }: { readonly base_sha: string; readonly head_sha: string },
): Promise<Comparison> {
  if (base_sha === head_sha) return { ahead: 0, behind: 0, merge_base: base_sha }
  const range = `${base_sha}...${head_sha}`
  const args = ['rev-list', '--left-right', '--boundary', '--end-of-options', range]
  const { left, right, ends } = countSides(await gitText(repository, args))
  const merge_base = ends.length > 1 ? await mergeBase(repository, base_sha, head_sha) : (ends[0] ?? null)
  return { ahead: right, behind: left, merge_base }
}
