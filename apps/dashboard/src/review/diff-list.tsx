import { useMemo } from 'react'
import { WindowVirtualizer } from 'virtua'
import { meanHeight } from './file-height.ts'
import { OneFile, type OneFileProps } from './one-file.tsx'
import type { FilePatch } from './patch-parts.ts'
import type { FileWalk } from './use-file-walk.ts'

interface Props extends Omit<OneFileProps, 'part' | 'walk'> {
  readonly parts: readonly FilePatch[]
  readonly walk: FileWalk
}

/** The files of a diff under one another; only those in sight are in the page. */
export function DiffList({ parts, ...props }: Props) {
  const { view, walk } = props
  // The length of the list is known before a file is drawn: heights learned from the first ones, still loading, would be far too low.
  const itemSize = useMemo(() => meanHeight(parts, view), [parts, view])
  return (
    <WindowVirtualizer ref={walk.list} bufferSize={400} itemSize={itemSize}>
      {parts.map((part) => (
        <OneFile key={part.file.path} part={part} {...props} />
      ))}
    </WindowVirtualizer>
  )
}
