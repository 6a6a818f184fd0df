import { Link } from '@tanstack/react-router'
import { PinnedAsks } from '../../asks/pinned-asks.tsx'
import { useAsks } from '../../asks/use-asks.ts'
import { Conversation } from '../../conversation/conversation.tsx'
import { Elapsed } from '../../conversation/elapsed.tsx'
import { usePresence } from '../../notifications/use-presence.ts'
import { Failure } from '../../parts/failure.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { ModelCost } from '../../money/model-cost.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { Composer } from './prompt/composer.tsx'
import { SessionContext } from './context/session-context.tsx'
import { ContinueTurn } from './prompt/continue-turn.tsx'
import { PromptQueue } from './prompt/prompt-queue.tsx'
import { sessionRoute } from './route.tsx'
import { Unmetered } from './runtime/unmetered.tsx'
import { useRuntime } from './runtime/use-runtime.ts'
import { SessionActions } from './session-actions.tsx'
import { sessionState } from './session-state.ts'
import { sessionTitle } from './session-title.ts'
import { StartTimeline } from './start/start-timeline.tsx'
import { useSession } from './use-session.ts'

/** A session to work in. Its address names it, so another one begins anew. */
export function SessionPage() {
  const params = sessionRoute.useParams()
  return <OneSession key={params.session_id} {...params} />
}

function OneSession({
  project_id,
  session_id,
}: {
  readonly project_id: string
  readonly session_id: string
}) {
  const { session, log, askEnds, pendingAsks, reread } = useSession(project_id, session_id)
  usePresence(project_id, session_id)
  const runtime = useRuntime({ project_id, session_id })
  const asks = useAsks(pendingAsks)
  const up = { to: `/projects/${project_id}/sessions`, label: 'Sessions' }
  const row = session.data
  if (row === undefined)
    return (
      <Page title="Session" up={up}>
        <Failure error={session.error} />
        {session.error === null ? (
          <Loading />
        ) : (
          <p>
            <Link to="/projects/$project_id/sessions" params={{ project_id }}>
              All sessions of the project
            </Link>
          </p>
        )}
      </Page>
    )
  const waiting = asks.board.some(({ open, settled }) => open && !settled)
  const state = sessionState(row, log, waiting)
  const cut_at = row.status === 'completed' || log.unbegun.length > 0 ? null : log.cut_at
  const foot = (
    <div className="grid gap-2">
      <PinnedAsks session={row} asks={asks} ends={askEnds} log={log} reread={reread} />
      {cut_at !== null && <ContinueTurn session={row} limit={cut_at} reread={reread} />}
      <PromptQueue session={row} prompts={log.unbegun} reread={reread} />
      {row.status !== 'completed' && (
        <Composer
          session={row}
          working={log.busy_since !== null}
          commands={runtime.data?.commands ?? []}
          reread={reread}
        />
      )}
    </div>
  )
  return (
    <Page
      title={sessionTitle(row, log)}
      up={up}
      beside={
        <>
          <State of={state} />
          {log.busy_since !== null && (
            <span className="faint">
              <Elapsed since={log.busy_since} />
            </span>
          )}
          <span className="faint">
            {row.agent_name} · {row.base_ref}
          </span>
          <ModelCost usage={row.usage} />
          <Unmetered runtime={runtime.data} />
        </>
      }
      actions={<SessionActions session={row} reread={reread} />}
      context={<SessionContext session={row} log={log} runtime={runtime.data} />}
      foot={foot}
    >
      <StartTimeline session={row} log={log} />
      <Failure error={session.error} />
      <Conversation log={log} below={asks.board.length} />
    </Page>
  )
}
