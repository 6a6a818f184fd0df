import type { BaseContext } from '@svc/context'
import type { SessionEventType } from '@svc/contract'
import { type Db, maxNotifyBytes, notifyAll } from '@svc/db'

export type Delta = Readonly<Record<string, unknown>>

type DeltaContext = Pick<BaseContext, 'db' | 'pubsub' | 'log'>

/** Passed on to readers and kept nowhere: pieces of texts, and what running tools print. */
export function isPassing(type: SessionEventType): type is 'message.delta' | 'tool.delta' {
  return type === 'message.delta' || type === 'tool.delta'
}

/** The type of what was passed on: only the output of a tool names a call. */
export function passingType(delta: Delta): 'message.delta' | 'tool.delta' {
  return 'call_id' in delta ? 'tool.delta' : 'message.delta'
}

/** Time for which the pieces of a text are waiting: a reader sees it grow all the same, and a message costs what it costs. */
const batchMs = 50

interface Batch {
  readonly waiting: Map<string, Delta[]>
  timer: NodeJS.Timeout | null
}

const batches = new WeakMap<Db, Batch>()

/**
 * Passes pieces of a text on to those who read the session now. Nothing waits for it and none of it is stored: what is lost,
 * or too long to pass on, stands in the message that follows.
 */
export function passOn(ctx: DeltaContext, session_id: string, deltas: readonly Delta[]): void {
  const batch = batches.get(ctx.db) ?? { waiting: new Map<string, Delta[]>(), timer: null }
  batches.set(ctx.db, batch)
  const mine = batch.waiting.get(session_id) ?? []
  for (const delta of deltas) join(mine, delta)
  batch.waiting.set(session_id, mine)
  batch.timer ??= setTimeout(() => void sendAll(ctx, batch), batchMs).unref()
}

/** Sends what is waiting of the session, before what is stored next. */
export async function passOnNow(ctx: DeltaContext, session_id: string): Promise<void> {
  const batch = batches.get(ctx.db)
  const mine = batch?.waiting.get(session_id)
  if (batch === undefined || mine === undefined) return
  batch.waiting.delete(session_id)
  await send(ctx, new Map([[session_id, mine]]))
}

async function sendAll(ctx: DeltaContext, batch: Batch): Promise<void> {
  batch.timer = null
  const waiting = new Map(batch.waiting)
  batch.waiting.clear()
  await send(ctx, waiting)
}

/** A piece of the same message makes the one before it longer; the output of a call stands instead of what it was. */
function join(pieces: Delta[], delta: Delta): void {
  const before =
    delta.call_id === undefined ? -1 : pieces.findIndex(({ call_id }) => call_id === delta.call_id)
  if (before >= 0) {
    pieces[before] = delta
    return
  }
  const last = pieces.at(-1)
  const isMore =
    typeof last?.delta === 'string' &&
    typeof delta.delta === 'string' &&
    last.message_id === delta.message_id &&
    last.delta.length + delta.delta.length < maxNotifyBytes / 4
  if (isMore) pieces[pieces.length - 1] = { ...last, delta: `${last.delta}${delta.delta}` }
  else pieces.push(delta)
}

async function send(ctx: DeltaContext, waiting: ReadonlyMap<string, readonly Delta[]>): Promise<void> {
  const messages = [...waiting].flatMap(([session_id, events]) =>
    events.map((event) => ({ session_id, event })),
  )
  try {
    if (ctx.pubsub)
      await ctx.pubsub.publish(messages.map(({ session_id, event }) => [topicOf(session_id), event]))
    else
      await notifyAll(
        ctx.db,
        'session_delta',
        messages.filter((message) => Buffer.byteLength(JSON.stringify(message)) < maxNotifyBytes),
      )
  } catch (error) {
    ctx.log.debug({ err: error }, 'pieces of texts were not passed on')
  }
}

/** Hears the pieces of a session's texts. Returns what ends it. */
export function onDeltas(
  { listener, pubsub }: Pick<BaseContext, 'listener' | 'pubsub'>,
  session_id: string,
  handler: (delta: Delta) => void,
): () => void {
  if (pubsub) return pubsub.subscribe(topicOf(session_id), handler)
  return listener.subscribe(
    'session_delta',
    (message) => {
      if (message !== null) handler(message.event)
    },
    session_id,
  )
}

const topicOf = (session_id: string): string => `delta:${session_id}`
