import type { Session } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { Badge } from '../parts/badge.tsx'
import { Failure } from '../parts/failure.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { type SessionVerb, verbsOf } from './session-verbs.ts'
import { stateWords } from './state-words.ts'

const names: Readonly<Record<SessionVerb, readonly [asked: string, progress: string]>> = {
  stop: ['Stop', 'Stopping…'],
  start: ['Start', 'Starting…'],
  restart: ['Restart', 'Restarting…'],
}

interface Props {
  readonly session: Session
  readonly reread: () => Promise<void>
}

/** The state of the session in words, with the actions that are possible there. */
export function StatePanel({ session, reread }: Props) {
  const { sessions } = useClient().projects
  const heading = useId()
  const verb = useMutation({
    mutationFn: (asked: SessionVerb) => sessions[asked](session.project_id, session.session_id),
    onSettled: reread,
  })
  const { what, why, advice } = stateWords(session)
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>State</h2>
      <div aria-live="polite">
        <p>
          <Badge status={session.status} /> {what}
        </p>
        {why !== null && <pre>{why}</pre>}
        {advice !== null && <p>{advice}</p>}
      </div>
      <p className="actions">
        {verbsOf(session.status).map((offered) => (
          <button
            key={offered}
            type="button"
            className={offered === 'start' ? undefined : 'quiet'}
            disabled={verb.isPending}
            onClick={() => verb.mutate(offered)}
          >
            {names[offered][verb.isPending && verb.variables === offered ? 1 : 0]}
          </button>
        ))}
      </p>
      {session.status !== 'completed' && (
        <p className="hint">Restart makes a new sandbox on the same branch; the conversation goes on.</p>
      )}
      <Failure error={verb.error} />
    </section>
  )
}
