import type { ReactNode } from 'react'
import { useWide } from '../design/use-media.ts'

interface Props {
  readonly tree: ReactNode
  readonly children: ReactNode
}

/** Diffs with the tree of their files: beside them where there is room, else folded above. */
export function BesideTree({ tree, children }: Props) {
  const wide = useWide()
  return (
    <div className={wide ? 'grid grid-cols-[14rem_minmax(0,1fr)] items-start gap-4' : 'grid gap-3'}>
      {wide ? (
        <div className="sticky top-2 max-h-[92dvh] overflow-y-auto">{tree}</div>
      ) : (
        <details>
          <summary className="hint">Changed files</summary>
          {tree}
        </details>
      )}
      <div className="min-w-0">{children}</div>
    </div>
  )
}

/** The words for a patch that was too long to be sent whole. */
export function CutPatch() {
  return <span className="tone-warn text-13">The patch was cut; the list of files is whole.</span>
}
