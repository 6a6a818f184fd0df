import type { ChangeRequest } from '@svc/sdk'
import { usePeople } from '../../frame/use-people.ts'
import { Instant, Moment } from '../../parts/moment.tsx'
import { feedbackOf } from './feedback.ts'

/** Its events, in order. */
export function Activity({ cr }: { readonly cr: ChangeRequest }) {
  const nameOf = usePeople(cr.account_id)
  const opener =
    cr.origin_session_id === null ? nameOf(cr.created_by) : `an agent for ${nameOf(cr.created_by)}`
  const events = [
    { at: cr.created_at, what: `Opened by ${opener}` },
    ...feedbackOf(cr).map(({ at, by, text }) => ({
      at,
      what: `${nameOf(by)} requested changes: ${text.split('\n')[0]}`,
    })),
    ...(cr.closed_at === null ? [] : [{ at: cr.closed_at, what: `Closed by ${nameOf(cr.closed_by)}` }]),
    ...(cr.merged_at === null ? [] : [{ at: cr.merged_at, what: `Merged by ${nameOf(cr.merged_by)}` }]),
  ].sort((a, b) => (a.at < b.at ? -1 : 1))
  return (
    <ol className="rows">
      {events.map(({ at, what }) => (
        <li key={`${at}${what}`} className="row">
          <span className="min-w-0 flex-1" dir="auto">
            {what}
          </span>
          <span className="faint">
            <Moment at={at} /> · <Instant at={at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
