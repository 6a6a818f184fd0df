import type { CommitLinks } from '../parse/commit-links.ts'

export interface Apart {
  /** Commits that only this side has. */
  readonly base_only: number
  readonly head_only: number
  /** Common commits that no other common commit descends from. */
  readonly merge_bases: readonly string[]
}

export interface WalkLimits {
  readonly commits: number
  /** Calls of `load` that the walk may make. */
  readonly loads: number
}

export interface WalkInput {
  readonly base_sha: string
  readonly head_sha: string
  /** Null for a commit that is not known yet. */
  readonly known: (sha: string) => CommitLinks | null
  /** Makes commits known; false when it cannot. */
  readonly load: (shas: readonly string[]) => Promise<boolean>
  readonly limits: WalkLimits
}

/**
 * Walks down from both tips until every path leads to one commit, or to the end of history. The history below that one
 * commit belongs to both sides, so the answer is exact; dates only choose the way. Null when that took too long.
 */
export async function walkApart({
  base_sha,
  head_sha,
  known,
  load,
  limits,
}: WalkInput): Promise<Apart | null> {
  const walked = new Map<string, readonly string[]>()
  const edge = new Set([base_sha, head_sha])
  let rooted = false
  let loads = 0
  // A path that ended above the edge might have been reached from below it: then all is walked to its end.
  while (rooted ? edge.size > 0 : edge.size > 1) {
    const missing = [...edge].filter((sha) => known(sha) === null)
    if (missing.length > 0) {
      loads += 1
      if (loads > limits.loads || !(await load(missing))) return null
    }
    const newest = newestOf(edge, known)
    if (newest === null || walked.size >= limits.commits) return null
    const { sha, parents } = newest
    edge.delete(sha)
    walked.set(sha, parents)
    if (parents.length === 0) rooted = true
    for (const parent of parents) if (!walked.has(parent)) edge.add(parent)
  }
  return compareSides(reach(walked, base_sha), reach(walked, head_sha), walked)
}

function newestOf(
  edge: ReadonlySet<string>,
  known: WalkInput['known'],
): { sha: string; parents: readonly string[] } | null {
  let newest: { sha: string; parents: readonly string[]; committed_at: number } | null = null
  for (const sha of edge) {
    const links = known(sha)
    if (links === null) return null
    if (newest === null || links.committed_at > newest.committed_at) newest = { sha, ...links }
  }
  return newest
}

function reach(walked: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  const seen = new Set([from])
  // A set also yields the entries that are added while it is read.
  for (const sha of seen) for (const parent of walked.get(sha) ?? []) seen.add(parent)
  return seen
}

function compareSides(
  base: ReadonlySet<string>,
  head: ReadonlySet<string>,
  walked: ReadonlyMap<string, readonly string[]>,
): Apart {
  const common = [...base].filter((sha) => head.has(sha))
  const below = new Set(common.flatMap((sha) => walked.get(sha) ?? []))
  return {
    base_only: base.size - common.length,
    head_only: head.size - common.length,
    merge_bases: common.filter((sha) => !below.has(sha)),
  }
}
