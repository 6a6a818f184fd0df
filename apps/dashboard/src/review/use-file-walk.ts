import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { WindowVirtualizerHandle } from 'virtua'
import type { FilePatch } from './patch-parts.ts'

export interface FileWalk {
  readonly list: RefObject<WindowVirtualizerHandle | null>
  /** The place of the chosen file; -1 before one was chosen. */
  readonly at: number
  readonly turned: ReadonlySet<string>
  turn(path: string): void
  /** Chooses a file and brings it into sight. */
  show(path: string): void
  step(by: number): void
  readonly keys: Readonly<Record<string, () => unknown>>
}

/** The way through the files of a diff: the next, the one before, the ends; and which are turned from open to folded or back. */
export function useFileWalk(
  parts: readonly FilePatch[],
  chosen: string | null,
  choose: (file: string) => void,
): FileWalk {
  const list = useRef<WindowVirtualizerHandle>(null)
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const turn = (path: string) =>
    setTurned((before) => {
      const next = new Set(before)
      if (!next.delete(path)) next.add(path)
      return next
    })
  const indexOf = (path: string | null) => parts.findIndex(({ file }) => file.path === path)
  const at = indexOf(chosen)
  const go = (index: number, opts: Parameters<WindowVirtualizerHandle['scrollToIndex']>[1]) => {
    const part = parts[index]
    if (part === undefined) return
    choose(part.file.path)
    list.current?.scrollToIndex(index, opts)
  }
  const show = (path: string) => go(indexOf(path), { align: 'start' })
  const step = (by: number) => go(Math.min(parts.length - 1, Math.max(0, at + by)), { align: 'start' })
  // The file of the address is in sight at first; afterwards each way to a file brings it there.
  const begin = useEffectEvent(() => at >= 0 && list.current?.scrollToIndex(at, { align: 'start' }))
  useEffect(() => void begin(), [parts])
  const keys = {
    j: () => step(1),
    k: () => step(at < 0 ? 0 : -1),
    e: () => chosen !== null && turn(chosen),
    // Past both ends of the list stand other things of the page; no page scrolls further than it is long.
    Home: () => go(0, { align: 'start', offset: -scrollY }),
    End: () => go(parts.length - 1, { align: 'end', offset: innerHeight }),
  }
  return { list, at, turned, turn, show, step, keys }
}
