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
  /** The commits that are next, the newest last: a history of many merges has hundreds at a time. */
  const edge: Known[] = []
  let fresh = [...new Set([base_sha, head_sha])]
  const seen = new Set(fresh)
  let rooted = false
  let loads = 0
  // A path that ended above the edge might have been reached from below it: then all is walked to its end.
  while (edge.length + fresh.length > (rooted ? 0 : 1)) {
    const missing = fresh.filter((sha) => known(sha) === null)
    if (missing.length > 0) {
      loads += 1
      if (loads > limits.loads || !(await load(missing))) return null
    }
    for (const sha of fresh) {
      const links = known(sha)
      if (links === null) return null
      insert(edge, { sha, ...links })
    }
    const newest = edge.pop()
    if (newest === undefined || walked.size >= limits.commits) return null
    const { sha, parents } = newest
    walked.set(sha, parents)
    if (parents.length === 0) rooted = true
    fresh = [...new Set(parents)].filter((parent) => !seen.has(parent))
    for (const parent of fresh) seen.add(parent)
  }
  return compareSides(reach(walked, base_sha), reach(walked, head_sha), walked)
}

type Known = CommitLinks & { readonly sha: string }

/** Into a list that ascends by date; of one date the first that came stays the last, so that it is taken first. */
function insert(edge: Known[], commit: Known): void {
  let [low, high] = [0, edge.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edge[middle]?.committed_at ?? 0) < commit.committed_at) low = middle + 1
    else high = middle
  }
  edge.splice(low, 0, commit)
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
