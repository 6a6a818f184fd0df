import type { Context } from '@svc/context'
import type { SessionEventType } from '@svc/contract'
import type { SessionEventRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type LogBatch, nextEvents, readPage } from '../../archive/read-log.ts'
import type { SessionInput } from '../find-session.ts'
import { isClosedTo, requireReader } from '../session-access.ts'
import { type Delta, onDeltas, passingType } from './deltas.ts'
import { tailReader } from './shared-tail.ts'

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
  ctx: Pick<Context, 'db' | 'principal' | 'objects' | 'log'>,
  input: SessionInput & { readonly after: number; readonly limit: number },
) {
  const { session } = await requireReader(ctx, input)
  const { session_id, first_event_seq, last_event_seq } = session
  const rows = await readPage(ctx, { session_id, after: input.after, limit: input.limit })
  return { events: rows.map(presentEvent), first_seq: first_event_seq, last_seq: last_event_seq }
}

type FollowContext = Pick<Context, 'db' | 'principal' | 'objects' | 'log' | 'listener' | 'pubsub' | 'signal'>

/** The log from `after` on and then whatever is added, until the request ends. Refusals come before the first event. */
export async function openSessionEvents(
  ctx: FollowContext,
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
  const { session_id } = session
  const first = await nextEvents(ctx, { session_id, after: input.after })
  return follow(ctx, session_id, input.after, first)
}

async function* follow(
  ctx: FollowContext,
  session_id: string,
  after: number,
  first: LogBatch,
): AsyncGenerator<StreamedEvent> {
  const deltas: Delta[] = []
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
      deltas.push(delta)
      wake()
    }),
  ]
  const onAbort = () => wake()
  ctx.signal.addEventListener('abort', onAbort)
  try {
    for (const row of first.events) {
      after = row.seq
      yield { id: row.seq, event: presentEvent(row) }
    }
    while (!ctx.signal.aborted) {
      while (changed) {
        changed = false
        // Its sandbox may have been given personal secrets since the caller began to read.
        const { session, events, more } = await readTail(ctx, { session_id, after })
        if (!session || isClosedTo(ctx.principal, session)) return
        for (const event of events) {
          after = event.seq
          yield { id: event.seq, event }
        }
        changed ||= more
      }
      for (const delta of deltas.splice(0)) yield { id: null, event: presentDelta(delta, after) }
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

const readTail = tailReader(presentEvent)

const presented = new WeakMap<Delta, PresentedEvent>()

/** Those who are at the same place of the log share what they are told. */
function presentDelta(delta: Delta, seq: number): PresentedEvent {
  const known = presented.get(delta)
  if (known?.seq === seq) return known
  const event = { ...delta, seq, type: passingType(delta), at: known?.at ?? new Date().toISOString() }
  presented.set(delta, event)
  return event
}

function presentEvent(row: SessionEventRow): PresentedEvent {
  return { ...row.payload, seq: row.seq, type: row.type as SessionEventType, at: row.at.toISOString() }
}
