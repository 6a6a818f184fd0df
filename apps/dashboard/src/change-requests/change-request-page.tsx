import type { ChangeRequest, Client } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Badge } from '../parts/badge.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { Diff } from './diff.tsx'
import { MergePanel } from './merge-panel.tsx'

/** The diff that is shown is what is merged, so all of it is read at once and nothing of it by itself again. */
export function ChangeRequestPage(props: { readonly project_id: string; readonly cr_id: string }) {
  const client = useClient()
  const query = useQuery({
    queryKey: ['change-request', props.project_id, props.cr_id],
    queryFn: () => readWhole(client, props.project_id, props.cr_id),
    staleTime: Infinity,
    gcTime: 0,
  })
  const reread = async () => void (await query.refetch())
  return (
    <Loaded query={query}>
      {({ cr, diff, preview }) => (
        <>
          <PageTitle text={`#${cr.number} ${cr.title}`} />
          <Facts cr={cr} />
          {cr.description !== '' && <p className="said">{cr.description}</p>}
          <MergePanel project_id={props.project_id} {...{ cr, diff, preview, reread }} />
          <h2>Changes</h2>
          <Diff diff={diff} />
        </>
      )}
    </Loaded>
  )
}

async function readWhole(client: Client, project_id: string, cr_id: string) {
  const { changeRequests } = client.projects
  const cr = await changeRequests.get(project_id, cr_id)
  const [diff, preview] = await Promise.all([
    changeRequests.diff(project_id, cr.cr_id),
    cr.status === 'open' ? changeRequests.mergePreview(project_id, cr.cr_id) : null,
  ])
  return { cr, diff, preview }
}

function Facts({ cr }: { readonly cr: ChangeRequest }) {
  return (
    <dl className="facts">
      <dt>Status</dt>
      <dd aria-live="polite">
        <Badge status={cr.status} /> <Moment at={cr.merged_at ?? cr.closed_at ?? cr.created_at} />
      </dd>
      <dt>Branches</dt>
      <dd>
        <code>{cr.head_ref}</code> → <code>{cr.base_ref}</code>
      </dd>
      {cr.origin_session_id !== null && (
        <>
          <dt>Opened by</dt>
          <dd>
            <Link href={`/sessions/${cr.origin_session_id}`}>session {cr.origin_session_id.slice(0, 8)}</Link>
          </dd>
        </>
      )}
      {cr.merge_commit_sha !== null && (
        <>
          <dt>Merged as</dt>
          <dd>
            <code>{cr.merge_commit_sha}</code>
          </dd>
        </>
      )}
    </dl>
  )
}
