import type { Session } from '@svc/sdk'
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { Elapsed } from '../../../conversation/elapsed.tsx'
import type { SessionLog } from '../../../conversation/session-log.ts'
import { clock } from '../../../parts/relative-time.ts'
import { stagesOf } from './stages.ts'
import { stateWords } from './state-words.ts'

/** The start of the session, stage by stage with its seconds; and, where it did not, the reason word for word. */
export function StartTimeline({ session, log }: { readonly session: Session; readonly log: SessionLog }) {
  const stages = stagesOf(log.stages, session)
  const { what, why, advice } = stateWords(session)
  const bad = session.status === 'failed'
  return (
    <>
      <ol aria-label="Start timeline" className="flex flex-wrap gap-x-4 gap-y-1 text-12 text-n11">
        {stages.map(({ name, state, ms, since, limit }) => (
          <li key={name} className="flex items-center gap-1">
            {state === 'done' ? (
              <CircleCheck aria-label="done" className="glyph tone-ok" />
            ) : state === 'failed' ? (
              <CircleX aria-label="failed" className="glyph tone-bad" />
            ) : (
              <CircleDashed aria-label={state} className="glyph tone-info" />
            )}
            {name} {ms !== null && <span className="text-n10">{clock(ms)}</span>}
            {state === 'running' && since !== null && (
              <span className="text-n10">
                <Elapsed since={since} /> · {limit}
              </span>
            )}
          </li>
        ))}
      </ol>
      {(bad || session.status === 'stopped') && (
        <div className={bad ? 'notice bad' : 'notice'} role={bad ? 'alert' : 'status'}>
          <div className="min-w-0 flex-1">
            <p>{what}</p>
            {why !== null && <pre className="mt-1 whitespace-pre-wrap">{why}</pre>}
            {advice !== null && <p className="hint">{advice}</p>}
          </div>
        </div>
      )}
    </>
  )
}
