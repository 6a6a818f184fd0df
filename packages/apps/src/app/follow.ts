import { setTimeout as pause } from 'node:timers/promises'
import { type AppEventType } from '@svc/app'
import type { Context } from '@svc/context'
import type { AppLogLineRow } from '@svc/db'
import type { Looking } from '../context.ts'
import { type AfterInput, readAppEvents, readAppLog, type ReadLogInput } from './events.ts'

type Following = Looking & Pick<Context, 'signal'>

/** A stored row has a number to resume from. */
interface Streamed<Event> {
  readonly id: number | null
  readonly event: Event
}

type Line = Pick<AppLogLineRow, 'seq' | 'source' | 'stream' | 'at' | 'line'>
type LineEvent = ({ readonly type: 'line' } & Line) | { readonly type: 'end' }

const againMs = 500
const batch = 500

/** The lines of a log as they are written; of one release, until it ended. */
export async function followAppLog(
  ctx: Following,
  input: Omit<ReadLogInput, 'limit'>,
): Promise<AsyncIterable<Streamed<LineEvent>>> {
  // Refused before the stream begins.
  await readAppLog(ctx, { ...input, limit: 1 })
  return followLines(ctx, input)
}

async function* followLines(
  ctx: Following,
  input: Omit<ReadLogInput, 'limit'>,
): AsyncGenerator<Streamed<LineEvent>> {
  let { after } = input
  while (!ctx.signal.aborted) {
    const { lines, last_seq, ended } = await readAppLog(ctx, { ...input, after, limit: batch })
    for (const line of lines) yield { id: line.seq, event: { type: 'line', ...line } }
    after = last_seq
    if (ended) return yield { id: null, event: { type: 'end' } }
    if (lines.length < batch) await pause(againMs, undefined, { signal: ctx.signal }).catch(() => undefined)
  }
}

interface ShownEvent {
  readonly seq: number
  readonly type: AppEventType
  readonly data: Readonly<Record<string, unknown>>
  readonly at: Date
}

/** The events of an app, as they happen. */
export async function followAppEvents(
  ctx: Following,
  input: Omit<AfterInput, 'limit'>,
): Promise<AsyncIterable<Streamed<ShownEvent>>> {
  await readAppEvents(ctx, { ...input, limit: 1 })
  return followEvents(ctx, input)
}

async function* followEvents(
  ctx: Following,
  input: Omit<AfterInput, 'limit'>,
): AsyncGenerator<Streamed<ShownEvent>> {
  let { after } = input
  while (!ctx.signal.aborted) {
    const { events, last_seq } = await readAppEvents(ctx, { ...input, after, limit: batch })
    for (const event of events) yield { id: event.seq, event }
    after = last_seq
    if (events.length < batch) await pause(againMs, undefined, { signal: ctx.signal }).catch(() => undefined)
  }
}
