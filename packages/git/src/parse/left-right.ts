export interface Sides {
  readonly left: number
  readonly right: number
  /** The first commits that both sides have. */
  readonly ends: readonly string[]
}

/** `git rev-list --left-right --boundary`: a SHA a line, after `<`, `>` or `-`. */
export function countSides(text: string): Sides {
  let left = 0
  let right = 0
  const ends: string[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('<')) left += 1
    else if (line.startsWith('>')) right += 1
    else if (line.startsWith('-')) ends.push(line.slice(1))
  }
  return { left, right, ends }
}
