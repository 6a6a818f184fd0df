import type { CommitLinks } from './commit-links.ts'

export interface Sides {
  readonly left: number
  readonly right: number
  /** The first commits that both sides have. */
  readonly ends: readonly string[]
  /** The links of every commit that was listed. */
  readonly links: ReadonlyMap<string, CommitLinks>
}

/** `git rev-list --left-right --boundary --timestamp --parents`: `<time> <mark><sha> <parents>`, the mark `<`, `>` or `-`. */
export function countSides(text: string): Sides {
  let left = 0
  let right = 0
  const ends: string[] = []
  const links = new Map<string, CommitLinks>()
  for (const line of text.split('\n')) {
    const [time, marked, ...parents] = line.split(' ')
    if (marked === undefined) continue
    const sha = marked.slice(1)
    links.set(sha, { parents, committed_at: Number(time) })
    if (marked.startsWith('<')) left += 1
    else if (marked.startsWith('>')) right += 1
    else ends.push(sha)
  }
  return { left, right, ends, links }
}
