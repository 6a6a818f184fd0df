import type { Session } from '@svc/sdk'
import { Moment } from '../parts/moment.tsx'
import { OpenedChangeRequests, Preview } from './session-links.tsx'

/** The facts of a session beside its state and its conversation. */
export function SessionFacts({ session }: { readonly session: Session }) {
  const { project_id, session_id, agent_name, model, status, external_id } = session
  return (
    <dl className="facts">
      <dt>Agent</dt>
      <dd>{model === null ? agent_name : `${agent_name} with ${model}`}</dd>
      <dt>Branch</dt>
      <dd>
        <code>{session.branch_name}</code> from <code>{session.base_ref}</code>
      </dd>
      <dt>Change requests</dt>
      <dd>
        <OpenedChangeRequests {...{ project_id, session_id }} />
      </dd>
      {status === 'running' && external_id !== null && (
        <>
          <dt>Preview</dt>
          <dd>
            <Preview session_id={session_id} />
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <Moment at={session.created_at} /> by {session.origin}
      </dd>
      <dt>Id</dt>
      <dd>
        <code>{session_id}</code>
      </dd>
    </dl>
  )
}
