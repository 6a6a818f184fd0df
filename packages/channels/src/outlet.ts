import { fileNames, type OutgoingFile } from '@svc/channel'
import type { BaseContext } from '@svc/context'
import type { Db } from '@svc/db'
import {
  channelMessages,
  type ChannelMessageRow,
  type ChannelOutlet,
  channelThreads,
  type ChannelThreadRow,
} from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { keepOutgoing } from './outgoing-files.ts'

/** A thread of a channel, or a conversation in which a message stands alone. */
export type Outlet = ChannelThreadRow | { readonly conversation: string; readonly thread_id?: never }

/** A conversation that the channel lists, or in which a thread of the project is; null for any other. */
export async function conversationOf(
  db: Db,
  { channel_id, conversations }: Pick<ChannelOutlet, 'channel_id' | 'conversations'>,
  conversation: string,
): Promise<Outlet | null> {
  const isOurs =
    Object.hasOwn(conversations, conversation) ||
    (await channelThreads.isKnownConversation(db, channel_id, conversation))
  return isOurs ? { conversation } : null
}

interface Words {
  readonly text: string
  /** Behind the text, each as a message of its own. */
  readonly files?: readonly OutgoingFile[] | undefined
  readonly idempotency_key?: string | undefined
}

type Writing = Pick<BaseContext, 'db' | 'now' | 'newId'>
type OfChannel = Pick<ChannelOutlet, 'channel_id' | 'account_id' | 'project_id'>

/** Puts words into the outbox, with `then` in their transaction; those of a key that was used are the first ones. */
export async function putWords(
  ctx: Writing,
  channel: OfChannel,
  outlet: Outlet,
  { text, files = [], idempotency_key }: Words,
  then: (tx: Db, written: ChannelMessageRow) => Promise<void> = async () => undefined,
): Promise<ChannelMessageRow> {
  const { channel_id } = channel
  const earlier = async () =>
    idempotency_key === undefined
      ? undefined
      : channelMessages.findByKey(ctx.db, { channel_id, idempotency_key })
  const names = fileNames(files.map(({ name }) => name))
  const made = await ctx.db.transaction().execute(async (tx) => {
    const place = await placeIn(tx, channel, outlet)
    const words = { kind: 'notice' as const, body: { text }, idempotency_key }
    const written = await write(ctx, tx, place, words)
    if (written === undefined) return undefined
    for (const [index, file] of files.entries()) {
      const name = names[index] ?? ''
      const key = idempotency_key === undefined ? undefined : fileKey(idempotency_key, index)
      const message = { kind: 'file' as const, body: { text: name }, idempotency_key: key }
      const row = await write(ctx, tx, place, message, index + 1)
      if (row === undefined)
        throw new ServiceError('conflict', 'Another message has this idempotency key; take a new one')
      await keepOutgoing(ctx, tx, row, { ...file, name })
    }
    await then(tx, written)
    return written
  })
  const kept = made ?? (await earlier())
  if (kept === undefined) throw new Error('A message was neither written nor there')
  return kept
}

/** The key of a file of a message that has a key. */
const fileKey = (idempotency_key: string, index: number): string => `file:${index + 1}:${idempotency_key}`

type Place = ChannelThreadRow | (OfChannel & { readonly conversation: string; readonly thread_id?: never })

/** Of a thread, locked: messages come into it one after the other. */
async function placeIn(tx: Db, channel: OfChannel, outlet: Outlet): Promise<Place> {
  if (outlet.thread_id !== undefined) return (await channelThreads.lock(tx, outlet.thread_id)) ?? outlet
  const { channel_id, account_id, project_id } = channel
  return { channel_id, account_id, project_id, conversation: outlet.conversation }
}

async function write(
  ctx: Writing,
  tx: Db,
  place: Place,
  words: Omit<Parameters<typeof channelMessages.insert>[2], 'message_id'>,
  position = 0,
): Promise<ChannelMessageRow | undefined> {
  const message = { ...words, message_id: ctx.newId() }
  if (place.thread_id !== undefined) return channelMessages.append(tx, place, message, ctx.now())
  return channelMessages.insert(tx, { ...place, root: null, position }, message, ctx.now())
}
