import type { PendingAsk, Session } from '@svc/sdk'
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import type { SessionLog } from '../conversation/session-log.ts'
import { outcomeOf, subjectOf } from '../conversation/tool-words.ts'
import type { AskEnds, BoardAsk } from './ask-board.ts'
import { AskCard } from './ask-card.tsx'
import type { useAsks } from './use-asks.ts'

interface Props {
  readonly session: Pick<Session, 'project_id' | 'session_id'>
  readonly asks: ReturnType<typeof useAsks>
  readonly ends: AskEnds
  readonly log: SessionLog
  readonly reread: () => Promise<void>
}

/** Asks that the agent waits for, above the prompt and in sight wherever the reader is. */
export function PinnedAsks({ session, asks, ends, log, reread }: Props) {
  return (
    <div aria-live="polite">
      <Board {...{ ...asks, session, ends, log, reread }} />
    </div>
  )
}

interface BoardProps extends Omit<Props, 'asks'> {
  readonly board: readonly BoardAsk[]
  readonly onSettled: (request_id: string) => void
}

function Board({ board, session, ends, log, reread, onSettled }: BoardProps) {
  const heading = useId()
  if (board.length === 0) return null
  const waits = board.some(({ open, settled }) => open && !settled)
  return (
    <section
      aria-labelledby={heading}
      className={`notice block! max-h-[55vh] overflow-y-auto ${waits ? 'warn' : ''}`}
    >
      <h2 id={heading} className="mb-2 flex items-center gap-2">
        {waits && <TriangleAlert aria-hidden className="glyph tone-warn" />}
        {waits ? 'Needs an answer' : 'Answered'}
      </h2>
      <div className="grid gap-4">
        {board.map((shown) => (
          <AskCard
            key={shown.ask.request_id}
            session={session}
            shown={shown}
            command={commandOf(shown.ask, log)}
            end={ends.get(shown.ask.request_id)}
            onSettled={onSettled}
            reread={reread}
          />
        ))}
      </div>
    </section>
  )
}

/** The whole of what would run: the call that waits, where the log knows it. */
function commandOf(ask: PendingAsk, log: SessionLog): string | null {
  if (ask.kind !== 'permission') return null
  const calls = log.turns.flatMap(({ tools }) => tools).filter((call) => outcomeOf(call) === 'running')
  const call = calls.findLast(({ tool }) => tool === ask.permission) ?? calls.at(-1)
  const subject = call === undefined ? '' : subjectOf(call)
  return subject === '' ? null : subject
}
