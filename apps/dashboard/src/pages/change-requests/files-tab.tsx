import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Segments } from '../../parts/segments.tsx'
import { usePhone, useWide } from '../../design/use-media.ts'
import { ChangedFiles } from '../../review/changed-files.tsx'
import { DiffList } from '../../review/diff-list.tsx'
import { ImageDiff } from '../../review/image-diff.tsx'
import { patchParts } from '../../review/patch-parts.ts'
import { type View, views } from '../../review/view.ts'
import { changeRequestRoute } from './route.tsx'
import type { Shown } from './use-change-request.ts'
import { useReviewKeys } from './use-review-keys.ts'
import { useViewed } from './use-viewed.ts'

/** The files with their diffs, the tree beside them, and what was looked at already. */
export function FilesTab({ shown: { cr, diff } }: { readonly shown: Shown }) {
  const parts = useMemo(() => patchParts(diff.files, diff.patch), [diff])
  const search = changeRequestRoute.useSearch()
  const navigate = useNavigate({ from: changeRequestRoute.fullPath })
  const wide = useWide()
  const phone = usePhone()
  const view: View = phone ? 'unified' : (search.view ?? 'unified')
  const chosen = search.file ?? null
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const { viewed, setViewed, error } = useViewed(cr, parts)
  const choose = (file: string) =>
    void navigate({ search: (before) => ({ ...before, file }), replace: true, resetScroll: false })
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
  useReviewKeys({
    j: () => step(1),
    k: () => step(at < 0 ? 0 : -1),
    v: () => chosen !== null && setViewed?.(chosen, !viewed.has(chosen)),
    e: () => chosen !== null && turn(chosen),
  })
  const tree = (
    <ChangedFiles
      paths={parts.map(({ file }) => file.path)}
      chosen={chosen}
      viewed={viewed}
      onChoose={choose}
    />
  )
  return (
    <div className="grid gap-3">
      <Failure error={error} />
      <div className="flex flex-wrap items-center gap-3">
        {!phone && (
          <Segments
            label="View"
            options={views}
            value={view}
            onChange={(next) =>
              void navigate({
                search: (before) => ({ ...before, view: next }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        )}
        <span className="hint">
          viewed {viewed.size}/{parts.length}
        </span>
        {diff.patch_truncated && (
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
          <DiffList
            parts={parts}
            view={view}
            chosen={chosen}
            turned={turned}
            onTurn={turn}
            viewed={viewed}
            onViewed={setViewed}
            binary={(part) => (
              <ImageDiff
                project_id={cr.project_id}
                part={part}
                base_ref={cr.base_ref}
                head_ref={cr.status === 'merged' ? cr.base_ref : cr.head_ref}
              />
            )}
          />
        </div>
      </div>
    </div>
  )
}
