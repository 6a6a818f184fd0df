import type { BaseContext } from '@svc/context'
import type { Db } from '@svc/db'
import {
  channelMessages,
  type ChannelMessageRow,
  type ChannelOutlet,
  channelThreads,
  type ChannelThreadRow,
} from '@svc/db/channels'

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
  readonly idempotency_key?: string | undefined
}

/** Puts words into the outbox, with `then` in their transaction; those of a key that was used are the first ones. */
export async function putWords(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>,
  { channel_id, account_id, project_id }: Pick<ChannelOutlet, 'channel_id' | 'account_id' | 'project_id'>,
  outlet: Outlet,
  { text, idempotency_key }: Words,
  then: (tx: Db, written: ChannelMessageRow) => Promise<void> = async () => undefined,
): Promise<ChannelMessageRow> {
  const earlier = async () =>
    idempotency_key === undefined
      ? undefined
      : channelMessages.findByKey(ctx.db, { channel_id, idempotency_key })
  const message = { message_id: ctx.newId(), kind: 'notice' as const, body: { text }, idempotency_key }
  const made = await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    const { conversation } = outlet
    const written =
      outlet.thread_id === undefined
        ? await channelMessages.insert(
            tx,
            { channel_id, account_id, project_id, conversation, root: null },
            message,
            now,
          )
        : await channelMessages.append(
            tx,
            (await channelThreads.lock(tx, outlet.thread_id)) ?? outlet,
            message,
            now,
          )
    if (written !== undefined) await then(tx, written)
    return written
  })
  const kept = made ?? (await earlier())
  if (kept === undefined) throw new Error('A message was neither written nor there')
  return kept
}
