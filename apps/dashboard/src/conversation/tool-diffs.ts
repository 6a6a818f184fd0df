import { list, text } from './payload.ts'

/** Changes of one file by a call. */
export interface ToolDiff {
  readonly path: string
  /** A patch for each place, which may begin to count at any line. */
  readonly patches: readonly string[]
  readonly additions: number
  readonly deletions: number
  /** A patch was cut, or left out as too large. */
  readonly truncated: boolean
}

const header = 'diff --git a/file b/file\n--- a/file\n+++ b/file\n'

/** The `diffs` of an event, by file. */
export function diffsOf(value: unknown): readonly ToolDiff[] {
  const byPath = new Map<string, ToolDiff>()
  for (const diff of list(value)) {
    const path = text(diff['path'])
    const before = byPath.get(path)
    const hunks = hunksOf(text(diff['patch']))
    byPath.set(path, {
      path,
      patches: [...(before?.patches ?? []), ...(hunks === '' ? [] : [header + hunks])],
      additions: (before?.additions ?? 0) + (hunks.match(/^\+/gm)?.length ?? 0),
      deletions: (before?.deletions ?? 0) + (hunks.match(/^-/gm)?.length ?? 0),
      truncated: before?.truncated === true || diff['truncated'] === true,
    })
  }
  return [...byPath.values()]
}

/** A patch without the lines above its first hunk. */
function hunksOf(patch: string): string {
  const begin = patch.search(/^@@ /m)
  return begin === -1 ? '' : patch.slice(begin)
}
