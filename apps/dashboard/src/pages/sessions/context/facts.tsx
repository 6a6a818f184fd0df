import type { Session, SessionRuntime } from '@svc/sdk'
import { Link } from '@tanstack/react-router'
import { Copy } from '../../../parts/copy.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { Unmetered } from '../runtime/unmetered.tsx'
import { channelOf } from './origin.ts'

interface Props {
  readonly session: Session
  readonly runtime: SessionRuntime | undefined
}

/** The facts of a session that seldom matter and then exactly. */
export function Facts({ session, runtime }: Props) {
  const { session_id, agent_name, model, branch_name, base_ref, origin, created_at } = session
  const { harness, harness_version, project_id } = session
  const channel = channelOf(session)
  return (
    <dl className="facts">
      <dt>Agent</dt>
      <dd>{model === null ? agent_name : `${agent_name} with ${model}`}</dd>
      <dt>Runs on</dt>
      <dd className="flex flex-wrap items-center gap-x-2">
        {harness_version === null ? harness : `${harness} ${harness_version}`}
        <Unmetered runtime={runtime} />
      </dd>
      <dt>Branch</dt>
      <dd>
        <code>{branch_name.slice(0, 8)}</code> from <code>{base_ref}</code> <Copy text={branch_name} />
      </dd>
      <dt>Begun</dt>
      <dd>
        <Moment at={created_at} /> by {origin}
        {channel !== null && (
          <>
            , in a thread of{' '}
            <Link to="/projects/$project_id/channels/$slug" params={{ project_id, slug: channel }}>
              {channel}
            </Link>
          </>
        )}
      </dd>
      <dt>Id</dt>
      <dd>
        <code className="text-12">{session_id}</code>
      </dd>
    </dl>
  )
}
