import type { CommitChanges } from '@svc/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Segments } from '../../parts/segments.tsx'
import { usePhone } from '../../design/use-media.ts'
import { BesideTree, CutPatch } from '../../review/beside-tree.tsx'
import { ChangedFiles } from '../../review/changed-files.tsx'
import { DiffList } from '../../review/diff-list.tsx'
import { OneAtATime } from '../../review/one-at-a-time.tsx'
import { patchParts } from '../../review/patch-parts.ts'
import { useFileWalk } from '../../review/use-file-walk.ts'
import { views } from '../../review/view.ts'
import { useReviewKeys } from '../change-requests/use-review-keys.ts'
import { commitRoute } from './route.tsx'

const none: ReadonlySet<string> = new Set()

/** The files of a commit, as those of a change request are shown: `j` and `k` go through them, `e` folds one. */
export function CommitFiles({ shown }: { readonly shown: CommitChanges }) {
  const parts = useMemo(() => patchParts(shown.files, shown.patch), [shown])
  const { file: chosen = null, view: wanted = 'unified' } = commitRoute.useSearch()
  const navigate = useNavigate({ from: commitRoute.fullPath })
  const phone = usePhone()
  const view = phone ? 'unified' : wanted
  const put = (change: { readonly file?: string; readonly view?: typeof view }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  const walk = useFileWalk(parts, chosen, (file) => put({ file }))
  useReviewKeys(walk.keys)
  if (parts.length === 0) return <Empty title="This commit changed no file" />
  const tree = (
    <ChangedFiles
      paths={parts.map(({ file }) => file.path)}
      chosen={chosen}
      viewed={none}
      onChoose={walk.show}
    />
  )
  const Files = phone ? OneAtATime : DiffList
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        {!phone && (
          <Segments label="View" options={views} value={view} onChange={(next) => put({ view: next })} />
        )}
        {shown.patch_truncated && <CutPatch />}
      </div>
      <BesideTree tree={tree}>
        <Files parts={parts} view={view} chosen={chosen} walk={walk} />
      </BesideTree>
    </div>
  )
}
