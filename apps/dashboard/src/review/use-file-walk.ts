import { useState } from 'react'
import type { FilePatch } from './patch-parts.ts'

/** The way through the files of a diff: which are turned from open to folded or back, and the next and the one before. */
export function useFileWalk(
  parts: readonly FilePatch[],
  chosen: string | null,
  choose: (file: string) => void,
) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const turn = (path: string) =>
    setTurned((before) => {
      const next = new Set(before)
      if (!next.delete(path)) next.add(path)
      return next
    })
  const at = parts.findIndex(({ file }) => file.path === chosen)
  const step = (by: number) => {
    const next = parts[Math.min(parts.length - 1, Math.max(0, at + by))]
    if (next !== undefined) choose(next.file.path)
  }
  const keys = {
    j: () => step(1),
    k: () => step(at < 0 ? 0 : -1),
    e: () => chosen !== null && turn(chosen),
  }
  return { turned, turn, keys }
}
