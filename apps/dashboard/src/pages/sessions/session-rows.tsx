import type { SessionSummary } from '@svc/sdk'
import { Link } from '@tanstack/react-router'
import { GitPullRequestArrow } from 'lucide-react'
import { WindowVirtualizer } from 'virtua'
import { Moment } from '../../parts/moment.tsx'
import { dollars } from '../../money/money.ts'
import { State } from '../../parts/state.tsx'
import { stateHeadings, type SummaryState, summaryStates } from './states.ts'

interface Props {
  readonly project_id: string
  readonly sessions: readonly SessionSummary[]
}

type Line = { readonly state: SummaryState; readonly count: number } | SessionSummary

/** Ten thousand of them scroll as ten do: only the lines in sight are in the page. */
export function SessionRows({ project_id, sessions }: Props) {
  const lines: readonly Line[] = summaryStates.flatMap((state): readonly Line[] => {
    const group = sessions.filter((session) => session.state === state)
    return group.length === 0 ? [] : [{ state, count: group.length }, ...group]
  })
  return (
    <div className="rows">
      <WindowVirtualizer data={lines}>
        {(line) =>
          'count' in line ? (
            <div key={line.state} className="group-head">
              <State of={line.state} word="" />
              <h2>{stateHeadings[line.state]}</h2>
              <span className="count">{line.count}</span>
            </div>
          ) : (
            <Row key={line.session_id} project_id={project_id} session={line} />
          )
        }
      </WindowVirtualizer>
    </div>
  )
}

function Row({ project_id, session }: { readonly project_id: string; readonly session: SessionSummary }) {
  const { session_id, title, state, phrase, agent_name, cost_micros, change_request, created_at } = session
  return (
    <div className="row border-t! border-n6">
      <span className="w-20 shrink-0">
        <State of={state} />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to="/projects/$project_id/sessions/$session_id"
          params={{ project_id, session_id }}
          className="row-link"
          dir="auto"
        >
          {title}
        </Link>
        <p className="faint truncate" dir="auto">
          {phrase}
        </p>
      </div>
      {change_request !== null && (
        <Link
          to="/projects/$project_id/change-requests/$number"
          params={{ project_id, number: String(change_request.number) }}
          className="above chip"
        >
          <GitPullRequestArrow aria-hidden className="glyph" />#{change_request.number}{' '}
          {change_request.status}
        </Link>
      )}
      <span className="faint hidden md:inline">{agent_name}</span>
      {cost_micros > 0 && <span className="faint hidden md:inline">{dollars(cost_micros)}</span>}
      <span className="faint">
        <Moment at={session.last_event_at ?? created_at} />
      </span>
    </div>
  )
}
