import type { CommitChanges } from '@svc/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Segments } from '../../parts/segments.tsx'
import { usePhone, useWide } from '../../design/use-media.ts'
import { ChangedFiles } from '../../review/changed-files.tsx'
import { DiffList } from '../../review/diff-list.tsx'
import { patchParts } from '../../review/patch-parts.ts'
import { views } from '../../review/view.ts'
import { useReviewKeys } from '../change-requests/use-review-keys.ts'
import { commitRoute } from './route.tsx'

const none: ReadonlySet<string> = new Set()

/** The files of a commit, as those of a change request are shown: `j` and `k` go through them, `e` folds one. */
export function CommitFiles({ shown }: { readonly shown: CommitChanges }) {
  const parts = useMemo(() => patchParts(shown.files, shown.patch), [shown])
  const { file: chosen = null, view: wanted = 'unified' } = commitRoute.useSearch()
  const navigate = useNavigate({ from: commitRoute.fullPath })
  const wide = useWide()
  const phone = usePhone()
  const view = phone ? 'unified' : wanted
  const [turned, setTurned] = useState(none)
  const put = (change: { readonly file?: string; readonly view?: typeof view }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  const turn = (path: string) =>
    setTurned((before) => {
      const next = new Set(before)
      if (!next.delete(path)) next.add(path)
      return next
    })
  const at = parts.findIndex(({ file }) => file.path === chosen)
  const step = (by: number) => {
    const next = parts[Math.min(parts.length - 1, Math.max(0, at + by))]
    if (next !== undefined) put({ file: next.file.path })
  }
  useReviewKeys({
    j: () => step(1),
    k: () => step(at < 0 ? 0 : -1),
    e: () => chosen !== null && turn(chosen),
  })
  if (parts.length === 0) return <Empty title="This commit changed no file" />
  const tree = (
    <ChangedFiles
      paths={parts.map(({ file }) => file.path)}
      chosen={chosen}
      viewed={none}
      onChoose={(file) => put({ file })}
    />
  )
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        {!phone && (
          <Segments label="View" options={views} value={view} onChange={(next) => put({ view: next })} />
        )}
        {shown.patch_truncated && (
          <span className="tone-warn text-13">The patch was cut; the list of files is whole.</span>
        )}
      </div>
      <div className={wide ? 'grid grid-cols-[14rem_minmax(0,1fr)] items-start gap-4' : 'grid gap-3'}>
        {wide ? (
          <div className="sticky top-2 max-h-[92dvh] overflow-y-auto">{tree}</div>
        ) : (
          <details>
            <summary className="hint">Changed files</summary>
            {tree}
          </details>
        )}
        <div className="min-w-0">
          <DiffList parts={parts} view={view} chosen={chosen} turned={turned} onTurn={turn} />
        </div>
      </div>
    </div>
  )
}
