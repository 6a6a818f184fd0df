import { Link } from '@tanstack/react-router'
import { Elapsed } from '../../conversation/elapsed.tsx'
import { Moment } from '../../parts/moment.tsx'
import { State } from '../../parts/state.tsx'
import { useTeamWork } from './use-team-work.ts'

/** Below what waits: what agents do now, and what was merged last. */
export function TeamWork() {
  const { working, merged } = useTeamWork()
  return (
    <>
      {working.length > 0 && (
        <section className="grid gap-2" aria-labelledby="working-now">
          <h2 id="working-now" className="flex items-center gap-2">
            Working now <span className="count">{working.length}</span>
          </h2>
          <ul className="rows" aria-labelledby="working-now">
            {working.map(({ project, session: { session_id, title, phrase, last_event_at } }) => (
              <li key={session_id} className="row">
                <State of="working" />
                <div className="min-w-0 flex-1">
                  <Link
                    to="/projects/$project_id/sessions/$session_id"
                    params={{ project_id: project.project_id, session_id }}
                    className="row-link"
                    dir="auto"
                  >
                    {title}
                  </Link>
                  <p className="faint truncate" dir="auto">
                    {project.name} · {phrase}
                  </p>
                </div>
                {last_event_at !== null && (
                  <span className="faint">
                    <Elapsed since={last_event_at} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {merged.length > 0 && (
        <section className="grid gap-2" aria-labelledby="recently-merged">
          <h2 id="recently-merged">Recently merged</h2>
          <ul className="rows" aria-labelledby="recently-merged">
            {merged.map(({ project, cr: { cr_id, number, title, merged_at } }) => (
              <li key={cr_id} className="row">
                <State of="merged" />
                <div className="min-w-0 flex-1">
                  <Link
                    to="/projects/$project_id/change-requests/$number"
                    params={{ project_id: project.project_id, number: String(number) }}
                    className="row-link"
                    dir="auto"
                  >
                    #{number} {title}
                  </Link>{' '}
                  <span className="faint">{project.name}</span>
                </div>
                <span className="faint">
                  <Moment at={merged_at} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
