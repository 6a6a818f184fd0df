import type { Context } from '@svc/context'
import type { SessionEventType } from '@svc/contract'
import { sessionEvents, type SessionEventRow, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { SessionInput } from '../find-session.ts'
import { isClosedTo, requireReader } from '../session-access.ts'
import { onDeltas } from './deltas.ts'

const pageSize = 200

export interface PresentedEvent {
  readonly seq: number
  readonly type: SessionEventType
  readonly at: string
  readonly [key: string]: unknown
}

/** `id` is null for what is streamed but not stored. */
export interface StreamedEvent {
  readonly id: number | null
  readonly event: PresentedEvent
}

export async function listSessionEvents(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: SessionInput & { readonly after: number; readonly limit: number },
) {
  const { session } = await requireReader(ctx, input)
  const rows = await sessionEvents.listAfter(ctx.db, session.session_id, input.after, input.limit)
  return { events: rows.map(presentEvent), last_seq: session.last_event_seq }
}

/** The log from `after` on and then whatever is added, until the request ends. Refusals come before the first event. */
export async function openSessionEvents(
  ctx: Pick<Context, 'db' | 'principal' | 'listener' | 'pubsub' | 'signal'>,
  input: SessionInput & { readonly after: number },
): Promise<AsyncIterable<StreamedEvent>> {
  const { session } = await requireReader(ctx, input)
  // Of another session: a reader who waits from there would miss all events before it.
  if (input.after > session.last_event_seq) {
    const message = `is ahead of this session, whose last event is ${session.last_event_seq}`
    throw new ServiceError('invalid_request', `The event to go on from ${message}`, {
      issues: [{ path: 'after', message }],
    })
  }
  return follow(ctx, session.session_id, input.after)
}

async function* follow(
  ctx: Pick<Context, 'db' | 'principal' | 'listener' | 'pubsub' | 'signal'>,
  session_id: string,
  after: number,
): AsyncGenerator<StreamedEvent> {
  const deltas: PresentedEvent[] = []
  let changed = true
  let wake = () => {}
  const stops = [
    ctx.listener.subscribe(
      'session',
      () => {
        changed = true
        wake()
      },
      session_id,
    ),
    onDeltas(ctx, session_id, (delta) => {
      deltas.push({ ...delta, seq: after, type: 'message.delta', at: new Date().toISOString() })
      wake()
    }),
  ]
  const onAbort = () => wake()
  ctx.signal.addEventListener('abort', onAbort)
  try {
    while (!ctx.signal.aborted) {
      while (changed) {
        changed = false
        // Its sandbox may have been given personal secrets since the caller began to read.
        const session = await sessions.findById(ctx.db, session_id)
        if (!session || isClosedTo(ctx.principal, session)) return
        const rows = await sessionEvents.listAfter(ctx.db, session_id, after, pageSize)
        for (const row of rows) {
          after = row.seq
          yield { id: row.seq, event: presentEvent(row) }
        }
        changed ||= rows.length === pageSize
      }
      for (const event of deltas.splice(0)) yield { id: null, event: { ...event, seq: after } }
      if (changed || deltas.length > 0 || ctx.signal.aborted) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    ctx.signal.removeEventListener('abort', onAbort)
    for (const stop of stops) stop()
  }
}

function presentEvent(row: SessionEventRow): PresentedEvent {
  return { ...row.payload, seq: row.seq, type: row.type as SessionEventType, at: row.at.toISOString() }
}
