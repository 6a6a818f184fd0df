import { z } from 'zod'
import { MatrixEvents, relationOf } from '../read/schema.ts'
import { isSameKey } from '../render/keys.ts'
import { type Call, path } from './client.ts'
import { unlessRefused } from './identify.ts'

interface Card {
  readonly room: string
  readonly ref: string
  /** Begins the names of its requests. */
  readonly txn: string
  readonly keys: readonly string[]
}

const Sent = z.object({ event_id: z.string() })
const Page = z.object({ chunk: MatrixEvents })

/**
 * Puts the bot's reactions under a card. One that a room does not take is left out: the text lists it, and a person may put it
 * there.
 */
export async function putReactions(
  call: Call,
  { room, ref, txn, keys }: Card,
  signal: AbortSignal,
): Promise<void> {
  for (const key of keys) {
    const relation = { rel_type: 'm.annotation', event_id: ref, key }
    const asked = {
      method: 'PUT',
      path: path`v3/rooms/${room}/send/m.reaction/${`${txn}.${key}`}`,
      body: { 'm.relates_to': relation },
    } as const
    await unlessRefused(call(signal, asked, Sent))
  }
}

/** Brings the bot's reactions under a card that was edited to those that it has now. */
export async function renewReactions(
  call: Call,
  card: Card,
  bot: string,
  signal: AbortSignal,
): Promise<void> {
  const { room, ref, txn, keys } = card
  const asked = {
    path: path`v1/rooms/${room}/relations/${ref}/m.annotation/m.reaction`,
    // The bot's own are the oldest.
    query: { dir: 'f', limit: '50' },
  }
  const { chunk = [] } = (await unlessRefused(call(signal, asked, Page))) ?? {}
  const own = chunk.flatMap((event) => {
    const { key } = relationOf(event)
    return event.sender === bot && key !== undefined ? [{ key, event_id: event.event_id }] : []
  })
  const missing = keys.filter((key) => !own.some((one) => isSameKey(one.key, key)))
  await putReactions(call, { ...card, keys: missing }, signal)
  for (const { key, event_id } of own) {
    if (keys.some((one) => isSameKey(one, key))) continue
    const redaction = {
      method: 'PUT',
      path: path`v3/rooms/${room}/redact/${event_id}/${`${txn}.${key}`}`,
      body: {},
    } as const
    await unlessRefused(call(signal, redaction, Sent))
  }
}
