import type { BaseContext } from '@svc/context'
import { connectorCalls, type ConnectorCallRow } from '@svc/db'
import { channelMessages, type ChannelOutlet, channels, channelThreads } from '@svc/db/channels'
import type { ChannelCalls, ChannelWish } from '@svc/upstream'
import { conversationOf, type Outlet, putWords } from './outlet.ts'

type Writing = Pick<BaseContext, 'db' | 'now' | 'newId'>

/** Messages of agents by a connector: what a call puts is in the outbox once, however often the call is carried out. */
export const channelCalls = (ctx: Writing): ChannelCalls => ({
  async put(call_id, wish) {
    const call = await connectorCalls.find(ctx.db, call_id)
    const channel = call && (await channels.findOutlet(ctx.db, call))
    if (!call || !channel || channel.status === 'disconnected')
      return refused(
        'connector_not_connected',
        'No channel is connected under this slug; a person connects it',
      )
    const idempotency_key = `call:${call_id}`
    const earlier = await channelMessages.findByKey(ctx.db, {
      channel_id: channel.channel_id,
      idempotency_key,
    })
    if (earlier !== undefined) return { kind: 'put', message_id: earlier.message_id }
    const place = await placeOf(ctx, channel, call, wish)
    if (typeof place === 'string') return refused('invalid_arguments', place)
    const text = wish.subject === undefined ? wish.text : `**${wish.subject}**\n\n${wish.text}`
    const { message_id } = await putWords(ctx, channel, place, { text, idempotency_key })
    return { kind: 'put', message_id }
  },
})

const refused = (reason: 'connector_not_connected' | 'invalid_arguments', message: string) =>
  ({ kind: 'refused', reason, message }) as const

/** The thread or the conversation of a message; the reason, in words, where the project has no such place. */
async function placeOf(
  { db }: Pick<Writing, 'db'>,
  channel: ChannelOutlet,
  { session_id }: ConnectorCallRow,
  { to, thread }: ChannelWish,
): Promise<Outlet | string> {
  const { channel_id } = channel
  if (thread !== undefined) {
    const found = await channelThreads.findById(db, thread)
    return found?.channel_id === channel_id ? found : 'There is no such thread in this channel'
  }
  if (to === undefined) {
    const own =
      session_id === null ? undefined : (await channelThreads.ofSessions(db, [session_id])).get(session_id)
    return own?.channel_id === channel_id
      ? own
      : 'This session was not begun in a thread of this channel; say where the message goes with send'
  }
  const found = await conversationOf(db, channel, to)
  if (found !== null) return found
  return 'The channel does not list this conversation; a person adds it to the conversations of the channel'
}
