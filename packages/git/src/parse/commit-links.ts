export interface CommitLinks {
  readonly parents: readonly string[]
  /** Seconds; 0 when the commit does not say. A hint at the order of commits, no more. */
  readonly committed_at: number
}

/** The parents and the time in a raw commit object. */
export function parseCommitLinks(content: Buffer): CommitLinks {
  const end = content.indexOf('\n\n')
  const lines = content.toString('latin1', 0, end === -1 ? content.length : end).split('\n')
  const parents: string[] = []
  let committed_at = 0
  for (const line of lines) {
    if (line.startsWith('parent ')) parents.push(line.slice('parent '.length))
    else if (line.startsWith('committer ')) committed_at = Number(/> (\d{1,12}) /.exec(line)?.[1] ?? 0)
  }
  return { parents, committed_at }
}
