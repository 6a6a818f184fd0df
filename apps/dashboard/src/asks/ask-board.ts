import type { PendingAsk, SessionEvent } from '@svc/sdk'

/** An ask that this page has shown; `open` while the agent waits for it, `settled` once it was answered or dismissed here. */
export interface BoardAsk {
  readonly ask: PendingAsk
  readonly open: boolean
  readonly settled: boolean
}

/**
 * A request that ended otherwise than here stays on the board, so that the person who was about to answer it learns of
 * that.
 */
export function boardAfter(board: readonly BoardAsk[], pending: readonly PendingAsk[]): readonly BoardAsk[] {
  const open = new Set(pending.map(({ request_id }) => request_id))
  const known = new Set(board.map(({ ask }) => ask.request_id))
  return [
    ...board.map((shown) => ({ ...shown, open: open.has(shown.ask.request_id) })),
    ...pending
      .filter(({ request_id }) => !known.has(request_id))
      .map((ask) => ({ ask, open: true, settled: false })),
  ].filter(({ open, settled }) => open || !settled)
}

export function settledHere(board: readonly BoardAsk[], request_id: string): readonly BoardAsk[] {
  return board
    .map((shown) => (shown.ask.request_id === request_id ? { ...shown, settled: true } : shown))
    .filter(({ open, settled }) => open || !settled)
}

/** The asks that wait for an answer, by `request_id`, from the event log. */
export type PendingAsks = ReadonlyMap<string, PendingAsk>

export function pendingAfter(pending: PendingAsks, event: SessionEvent): PendingAsks {
  if (event.type !== 'question' && event.type !== 'permission') return pending
  const { request_id, state } = event
  if (typeof request_id !== 'string' || (state !== 'asked' && !pending.has(request_id))) return pending
  const next = new Map(pending)
  if (state === 'asked') next.set(request_id, askOf(event, request_id))
  else next.delete(request_id)
  return next
}

function askOf(event: SessionEvent, request_id: string): PendingAsk {
  const { permission, patterns, questions } = event
  if (event.type === 'question')
    return { kind: 'question', request_id, questions: Array.isArray(questions) ? questions : [] }
  return {
    kind: 'permission',
    request_id,
    permission: String(permission),
    patterns: Array.isArray(patterns) ? patterns.map(String) : [],
  }
}

/** The ends of asks, by `request_id`, from the event log. */
export type AskEnds = ReadonlyMap<string, string>

export function endsAfter(ends: AskEnds, event: SessionEvent): AskEnds {
  if (event.type !== 'question' && event.type !== 'permission') return ends
  const { request_id, state } = event
  if (typeof request_id !== 'string' || typeof state !== 'string' || state === 'asked') return ends
  // A request that timed out is refused to the agent after that.
  if (ends.has(request_id)) return ends
  return new Map([...ends, [request_id, state]])
}

const words: Readonly<Record<string, string>> = {
  replied: 'It was answered elsewhere.',
  rejected: 'It was refused elsewhere.',
  timed_out: 'No answer came in time, so it was refused.',
  expired: 'The turn ended before it was answered.',
}

/** The reason that an ask is not open any more. */
export function endWords(state: string | undefined): string {
  return (state === undefined ? undefined : words[state]) ?? 'The agent does not wait for it any more.'
}
