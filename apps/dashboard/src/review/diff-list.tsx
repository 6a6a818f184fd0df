import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua'
import { Loading } from '../parts/loaded.tsx'
import { FileHead } from './file-head.tsx'
import { foldReason } from './fold.ts'
import type { FilePatch } from './patch-parts.ts'
import type { View } from './view.ts'

const FileDiff = lazy(async () => ({ default: (await import('./file-diff.tsx')).FileDiff }))

export interface DiffListProps {
  readonly parts: readonly FilePatch[]
  readonly view: View
  /** The file to show, from the tree or the address. */
  readonly chosen: string | null
  /** Files that are open although they begin folded, and the other way round. */
  readonly turned: ReadonlySet<string>
  readonly onTurn: (path: string) => void
  readonly viewed?: ReadonlySet<string>
  readonly onViewed?: ((path: string, viewed: boolean) => void) | undefined
  /** The view of a binary file. */
  readonly binary?: (part: FilePatch) => ReactNode
}

/** The files of a diff under one another; only those in sight are in the page. */
export function DiffList(props: DiffListProps) {
  const { parts, chosen } = props
  const list = useRef<WindowVirtualizerHandle>(null)
  useEffect(() => {
    const index = parts.findIndex(({ file }) => file.path === chosen)
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'start' })
  }, [parts, chosen])
  return (
    <WindowVirtualizer ref={list} bufferSize={400}>
      {parts.map((part) => (
        <OneFile key={part.file.path} part={part} {...props} />
      ))}
    </WindowVirtualizer>
  )
}

export function OneFile({
  part,
  view,
  turned,
  onTurn,
  viewed,
  onViewed,
  binary,
  chosen,
}: DiffListProps & { part: FilePatch }) {
  const { file, patch } = part
  const reason = foldReason(part)
  const seen = viewed?.has(file.path) === true
  const open = turned.has(file.path) ? reason !== null || seen : reason === null && !seen
  return (
    <section
      className={`card mb-3 overflow-clip ${file.path === chosen ? 'border-info-line' : ''}`}
      aria-label={file.path}
    >
      <FileHead
        file={file}
        open={open}
        onTurn={() => onTurn(file.path)}
        viewed={seen}
        onViewed={onViewed === undefined ? undefined : (value) => onViewed(file.path, value)}
      />
      {!open ? (
        (reason !== null || seen) && (
          <p className="hint px-3 py-2">
            {reason === null ? 'Viewed' : reason}: {file.additions + file.deletions} changed lines.{' '}
            <button type="button" className="button small" onClick={() => onTurn(file.path)}>
              Show
            </button>
          </p>
        )
      ) : file.binary ? (
        (binary?.(part) ?? <p className="hint p-3">A binary file; its bytes differ.</p>)
      ) : patch === null ? (
        <p className="hint p-3">The patch was cut before this file. It is whole in the branch.</p>
      ) : file.additions + file.deletions === 0 ? (
        <p className="hint p-3">
          {file.status === 'renamed' ? 'Renamed without a change.' : 'No line differs.'}
        </p>
      ) : (
        <Suspense fallback={<Loading />}>
          <FileDiff path={file.path} patch={patch} view={view} />
        </Suspense>
      )}
    </section>
  )
}
