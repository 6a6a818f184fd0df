import { lazy, type ReactNode, Suspense } from 'react'
import { Loading } from '../parts/loaded.tsx'
import { FileHead } from './file-head.tsx'
import { hunksHeight } from './file-height.ts'
import { foldReason } from './fold.ts'
import type { FilePatch } from './patch-parts.ts'
import type { FileWalk } from './use-file-walk.ts'
import type { View } from './view.ts'

const loadFileDiff = async () => ({ default: (await import('./file-diff.tsx')).FileDiff })
const FileDiff = lazy(loadFileDiff)

/** Begins to load what draws hunks, while the diff itself is read. One that fails is asked for again where it is drawn. */
export function preloadFileDiff(): void {
  void loadFileDiff().catch(() => undefined)
}

export interface OneFileProps {
  readonly part: FilePatch
  readonly view: View
  /** The file to show, from the tree or the address. */
  readonly chosen: string | null
  /** Its `turned` are files that are open although they begin folded, and the other way round. */
  readonly walk: Pick<FileWalk, 'turned' | 'turn'>
  readonly viewed?: ReadonlySet<string>
  readonly onViewed?: ((path: string, viewed: boolean) => void) | undefined
  /** The view of a binary file. */
  readonly binary?: (part: FilePatch) => ReactNode
}

/** A file of a diff: its head, and its hunks or why there are none. */
export function OneFile({
  part,
  view,
  walk: { turned, turn },
  viewed,
  onViewed,
  binary,
  chosen,
}: OneFileProps) {
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
        onTurn={() => turn(file.path)}
        viewed={seen}
        onViewed={onViewed === undefined ? undefined : (value) => onViewed(file.path, value)}
      />
      {!open ? (
        (reason !== null || seen) && (
          <p className="hint px-3 py-2">
            {reason === null ? 'Viewed' : reason}: {file.additions + file.deletions} changed lines.{' '}
            <button type="button" className="button small" onClick={() => turn(file.path)}>
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
        <Suspense fallback={<Drawing height={hunksHeight(patch, view)} />}>
          <FileDiff path={file.path} patch={patch} view={view} />
        </Suspense>
      )}
    </section>
  )
}

/** As high as the hunks that come in its place. The policy has no style of an element in the page's text; the node itself may have one. */
function Drawing({ height }: { readonly height: number }) {
  return (
    <div ref={(node) => void node?.style.setProperty('height', `${height}px`)}>
      <Loading />
    </div>
  )
}
