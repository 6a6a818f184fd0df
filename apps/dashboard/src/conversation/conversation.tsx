import { ArrowDown, Bot, MessageSquareText, UserRound } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Moment } from '../parts/moment.tsx'
import { Markdown } from './markdown.tsx'
import type { SessionLog, Turn } from './session-log.ts'
import { ToolRow } from './tool-row.tsx'
import { useFollow } from './use-follow.ts'

interface Props {
  readonly log: SessionLog
  readonly after?: ReactNode
  /** All that is pinned below it: more of that would hide its end. */
  readonly below?: unknown
}

/** The conversation with what was done in it, as it grows. It follows the end while the reader is at the end. */
export function Conversation({ log, after, below }: Props) {
  const { end, atEnd, toEnd } = useFollow(log, below)
  return (
    <>
      <div role="log" aria-label="Conversation" className="grid grid-cols-1 gap-4" tabIndex={-1}>
        {log.turns.length === 0 && <p className="hint">Nothing was said yet.</p>}
        {log.turns.map((turn, index) => (
          <OneTurn
            key={`${turn.id}-${index}`}
            turn={turn}
            goesOn={turn.kind === 'agent' && log.turns[index - 1]?.kind === 'agent'}
          />
        ))}
      </div>
      {after}
      <div ref={end} className="h-px" />
      {!atEnd && (
        <button
          type="button"
          className="button sticky bottom-40 z-4 mx-auto w-fit shadow-float"
          onClick={() => toEnd('smooth')}
        >
          <ArrowDown aria-hidden />
          Jump to latest
        </button>
      )}
    </>
  )
}

const who = {
  prompt: { name: 'You', icon: UserRound },
  agent: { name: 'Agent', icon: Bot },
  notice: { name: 'Note', icon: MessageSquareText },
} as const

const sources: Readonly<Record<string, string>> = {
  trigger: 'Trigger',
  request_changes: 'Requested changes',
  review: 'Review',
  checks: 'Checks',
  connector: 'Connector',
  channel: 'Channel',
  monitor: 'Monitor',
}

interface TurnProps {
  readonly turn: Turn
  /** The agent speaks on: its name stands above what it said before. */
  readonly goesOn: boolean
}

const OneTurn = memo(function OneTurn({ turn, goesOn }: TurnProps) {
  const { kind, at, text, streaming, tools, error, source, thought } = turn
  const { name, icon: Icon } = who[kind]
  return (
    <article className={`turn ${kind} ${goesOn ? '-mt-2' : ''}`} aria-busy={streaming}>
      <header className={goesOn ? 'sr-only' : 'flex items-center gap-2 text-12 text-n11'}>
        <Icon aria-hidden className="glyph" />
        <strong>{sources[source ?? ''] ?? name}</strong>
        <Moment at={at} />
      </header>
      {text !== '' && thought && (
        <details className="hint">
          <summary>{streaming ? 'Thinking…' : 'Thoughts'}</summary>
          <Markdown text={text} streaming={streaming} />
        </details>
      )}
      {text !== '' && !thought && <Markdown text={text} streaming={streaming} />}
      {tools.map((call) => (
        <ToolRow key={call.call_id} call={call} />
      ))}
      {error !== null && (
        <p className="notice bad">
          <span className="min-w-0 whitespace-pre-wrap">{error}</span>
        </p>
      )}
    </article>
  )
})
