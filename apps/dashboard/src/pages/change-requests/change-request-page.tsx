import { useNavigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useRefusal } from '../../frame/use-can.ts'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWide } from '../../design/use-media.ts'
import { preloadFileDiff } from '../../review/one-file.tsx'
import { Activity } from './activity.tsx'
import { refName } from './change-requests-page.tsx'
import { Commits } from './commits.tsx'
import { DeployedApps } from './apps.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { FilesTab } from './files-tab.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { MergePanel } from './merge-panel.tsx'
import { NewCommits } from './new-commits.tsx'
import { Overview } from './overview.tsx'
import { RequestChangesDialog } from './request-changes-dialog.tsx'
import { RequestedChanges } from './requested-changes.tsx'
import { changeRequestRoute, type crTabs } from './route.tsx'
import { type Shown, useChangeRequest } from './use-change-request.ts'
import { useReviewKeys } from './use-review-keys.ts'

/** A change request to review: what it is, what it changes, and what becomes of it. */
export function ChangeRequestPage() {
  const { project_id, number } = changeRequestRoute.useParams()
  const { shown, moved, latest, reread } = useChangeRequest(project_id, number)
  useEffect(preloadFileDiff, [])
  if (shown.data === undefined)
    return (
      <Page title={`Change request #${number}`} up={upOf(project_id)}>
        <Failure error={shown.error} />
        {shown.error === null && <Loading />}
      </Page>
    )
  return (
    <Review
      key={shown.data.cr.cr_id}
      shown={shown.data}
      error={shown.error}
      banner={
        moved && latest !== undefined && <NewCommits latest={latest} shown={shown.data} onShow={reread} />
      }
      reread={reread}
    />
  )
}

const upOf = (project_id: string) => ({
  to: `/projects/${project_id}/change-requests`,
  label: 'Change requests',
})

type Dialog = 'merge' | 'changes' | 'edit' | null

interface ReviewProps {
  readonly shown: Shown
  readonly error: unknown
  readonly banner: ReactNode
  readonly reread: () => Promise<void>
}

function Review({ shown, error, banner, reread }: ReviewProps) {
  const { cr, diff, preview } = shown
  const { project_id, number, title, status } = cr
  const { tab = 'overview' } = changeRequestRoute.useSearch()
  const navigate = useNavigate({ from: changeRequestRoute.fullPath })
  const wide = useWide()
  const [dialog, setDialog] = useState<Dialog>(null)
  const [feedback, setFeedback] = useState('')
  const ask = (text = '') => {
    setFeedback(text)
    setDialog('changes')
  }
  const open = status === 'open'
  const [push, merge] = [useRefusal('project.gitops.push'), useRefusal('project.gitops.merge')]
  const keys = {
    r: () => (push === null ? ask() : toast(push)),
    m: () => (merge === null ? setDialog('merge') : toast(merge)),
  }
  useReviewKeys(open ? keys : {})
  const panel = (
    <MergePanel
      shown={shown}
      compact={!wide}
      onMerge={() => setDialog('merge')}
      onRequestChanges={ask}
      reread={reread}
    />
  )
  const ahead = preview?.ahead
  const tabs = [
    { key: 'overview', label: 'Overview' },
    { key: 'files', label: 'Files', count: diff.files_changed },
    { key: 'commits', label: 'Commits', count: ahead },
    { key: 'activity', label: 'Activity' },
  ] as const satisfies readonly { key: (typeof crTabs)[number]; label: string; count?: number | undefined }[]
  return (
    <Page
      title={`#${number} ${title}`}
      up={upOf(project_id)}
      beside={
        <>
          <State of={conflicts(shown) ? 'conflict' : status} />
          <span className="faint">
            {refName(cr.head_ref)} → {cr.base_ref}
            {preview !== null && ` · ${preview.ahead} ahead ${preview.behind} behind`}
          </span>
        </>
      }
      actions={
        open && (
          <GuardedButton needs="project.gitops.push" className="button" onClick={() => setDialog('edit')}>
            <Pencil aria-hidden />
            Edit
          </GuardedButton>
        )
      }
      {...(wide ? { context: <Beside panel={panel} shown={shown} /> } : { foot: panel })}
    >
      <div role="status">{banner}</div>
      <Failure error={error} />
      <Tabs
        label="Of the change request"
        tabs={tabs}
        value={tab}
        onChange={(next) =>
          void navigate({ search: (before) => ({ ...before, tab: next }), resetScroll: false })
        }
      >
        {tab === 'overview' && <Overview shown={shown} wide={wide} onRequestChanges={ask} />}
        {tab === 'files' && <FilesTab shown={shown} />}
        {tab === 'commits' && <Commits shown={shown} />}
        {tab === 'activity' && <Activity cr={cr} />}
      </Tabs>
      {dialog === 'merge' && <MergeDialog shown={shown} onClose={() => setDialog(null)} reread={reread} />}
      {dialog === 'edit' && <EditDialog cr={cr} onClose={() => setDialog(null)} reread={reread} />}
      {dialog === 'changes' && (
        <RequestChangesDialog cr={cr} first={feedback} onClose={() => setDialog(null)} reread={reread} />
      )}
    </Page>
  )
}

function Beside({ panel, shown }: { readonly panel: ReactNode; readonly shown: Shown }) {
  return (
    <div className="grid gap-6">
      {panel}
      <DeployedApps cr={shown.cr} />
      <RequestedChanges cr={shown.cr} />
    </div>
  )
}

function conflicts({ preview }: Shown): boolean {
  return preview !== null && !preview.can_merge && !preview.is_up_to_date
}
