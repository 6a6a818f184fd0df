import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Segments } from '../../parts/segments.tsx'
import { usePhone } from '../../design/use-media.ts'
import { BesideTree, CutPatch } from '../../review/beside-tree.tsx'
import { ChangedFiles } from '../../review/changed-files.tsx'
import { DiffList } from '../../review/diff-list.tsx'
import { OneAtATime } from '../../review/one-at-a-time.tsx'
import { ImageDiff } from '../../review/image-diff.tsx'
import { patchParts } from '../../review/patch-parts.ts'
import { useFileWalk } from '../../review/use-file-walk.ts'
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
  const phone = usePhone()
  const view: View = phone ? 'unified' : (search.view ?? 'unified')
  const chosen = search.file ?? null
  const { viewed, setViewed, error } = useViewed(cr, parts)
  const choose = (file: string) =>
    void navigate({ search: (before) => ({ ...before, file }), replace: true, resetScroll: false })
  const walk = useFileWalk(parts, chosen, choose)
  useReviewKeys({ ...walk.keys, v: () => chosen !== null && setViewed?.(chosen, !viewed.has(chosen)) })
  const tree = (
    <ChangedFiles
      paths={parts.map(({ file }) => file.path)}
      chosen={chosen}
      viewed={viewed}
      onChoose={walk.show}
    />
  )
  const Files = phone ? OneAtATime : DiffList
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
        {diff.patch_truncated && <CutPatch />}
      </div>
      <BesideTree tree={tree}>
        <Files
          parts={parts}
          view={view}
          chosen={chosen}
          walk={walk}
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
      </BesideTree>
    </div>
  )
}
