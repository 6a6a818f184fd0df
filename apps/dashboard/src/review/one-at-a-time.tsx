import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { OneFile, type OneFileProps } from './one-file.tsx'
import type { FilePatch } from './patch-parts.ts'
import type { FileWalk } from './use-file-walk.ts'
import { useSwipe } from '../design/use-swipe.ts'

interface Props extends Omit<OneFileProps, 'part' | 'walk'> {
  readonly parts: readonly FilePatch[]
  readonly walk: FileWalk
}

/** One file of a diff, as a small screen has room for: the next and the one before by a swipe, a button or a key. */
export function OneAtATime({ parts, ...props }: Props) {
  const { walk } = props
  const at = Math.max(0, walk.at)
  const part = parts[at]
  const top = useRef<HTMLDivElement>(null)
  const go = (by: number) => {
    const next = parts[at + by]
    if (next !== undefined) walk.show(next.file.path)
  }
  const swipe = useSwipe({ onLeft: () => go(1), onRight: () => go(-1) })
  // What is shown at first is where the page begins; each further file is shown from its beginning.
  const shown = useRef(at)
  useEffect(() => {
    if (shown.current === at) return
    shown.current = at
    top.current?.scrollIntoView({ block: 'start' })
  }, [at])
  if (part === undefined) return null
  const steps = (
    <p className="flex items-center gap-2 py-1">
      <button
        type="button"
        className="button icon"
        disabled={at === 0}
        aria-label="Previous file"
        onClick={() => go(-1)}
      >
        <ChevronLeft aria-hidden />
      </button>
      <span className="hint min-w-0 flex-1 text-center">
        File {at + 1} of {parts.length}
      </span>
      <button
        type="button"
        className="button icon"
        disabled={at === parts.length - 1}
        aria-label="Next file"
        onClick={() => go(1)}
      >
        <ChevronRight aria-hidden />
      </button>
    </p>
  )
  return (
    <div ref={top} className="min-h-[75dvh] touch-pan-y" {...swipe}>
      {steps}
      <OneFile key={part.file.path} part={part} {...props} />
    </div>
  )
}
