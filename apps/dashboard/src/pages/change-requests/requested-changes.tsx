import type { ChangeRequest } from '@svc/sdk'
import { Link } from '@tanstack/react-router'
import { Markdown } from '../../conversation/markdown.tsx'
import { usePeople } from '../../frame/use-people.ts'
import { Moment } from '../../parts/moment.tsx'
import { feedbackOf } from './feedback.ts'

/** Changes that were asked for so far, by whom, and where the agent answers. */
export function RequestedChanges({ cr }: { readonly cr: ChangeRequest }) {
  const nameOf = usePeople(cr.account_id)
  const feedback = feedbackOf(cr)
  const { project_id, origin_session_id } = cr
  return (
    <section className="grid gap-2">
      <h2>Requested changes</h2>
      {feedback.length === 0 ? (
        <p className="hint">None yet.</p>
      ) : (
        <ul aria-label="Requested changes" className="grid gap-3">
          {feedback.map(({ text, by, at }, index) => (
            <li key={index} className="card grid gap-1 p-3 text-13">
              <p className="faint">
                {nameOf(by)} · <Moment at={at} />
              </p>
              <Markdown text={text} />
            </li>
          ))}
        </ul>
      )}
      {origin_session_id !== null && (
        <Link
          to="/projects/$project_id/sessions/$session_id"
          params={{ project_id, session_id: origin_session_id }}
          className="text-13"
        >
          Open the session of its agent
        </Link>
      )}
    </section>
  )
}
