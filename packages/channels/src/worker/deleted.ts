import type { InboundDeleted } from '@svc/channel'
import { cancelPrompt } from '@svc/services'
import {
  channelDeliveries,
  type ChannelDeliveryRow,
  channelLinks,
  type ChannelRow,
  channelThreads,
} from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import type { ChannelWorkerContext } from '../context.ts'
import { contextOf } from './person.ts'

interface Deleted {
  readonly channel: ChannelRow
  readonly delivery: ChannelDeliveryRow
  readonly deleted: InboundDeleted
}

/** A message that its writer took back: its prompt is withdrawn while it waits. */
export async function workDeleted(
  ctx: ChannelWorkerContext,
  { channel, delivery, deleted }: Deleted,
): Promise<void> {
  const { channel_id, project_id } = channel
  const { delivery_id } = delivery
  const message_key = `${deleted.conversation}:${deleted.ref}`
  const gone = await channelDeliveries.findMessage(ctx.db, { channel_id, message_key })
  const end = (event: 'accept' | 'ignore', reason: string | null = null) =>
    channelDeliveries.move(ctx.db, delivery_id, event, { now: ctx.now(), reason })
  switch (gone?.verdict) {
    case 'held':
    case 'asked':
      await channelDeliveries.move(ctx.db, gone.delivery_id, 'refuse', { now: ctx.now(), reason: 'deleted' })
      await end('accept')
      return
    case 'pending':
      throw new ServiceError(
        'conflict',
        'The message that was deleted is still being worked; it is withdrawn after that',
      )
    case 'accepted':
      await end((await withdraw(ctx, channel, gone, project_id)) ? 'accept' : 'ignore', null)
      return
    case 'ignored':
    case 'refused':
    case 'failed':
    case undefined:
      await end('ignore', 'nothing_to_withdraw')
  }
}

async function withdraw(
  ctx: ChannelWorkerContext,
  channel: ChannelRow,
  { prompt_id, thread_id, link_id }: ChannelDeliveryRow,
  project_id: string,
): Promise<boolean> {
  const thread = thread_id === null ? undefined : await channelThreads.findById(ctx.db, thread_id)
  const link = link_id === null ? undefined : await channelLinks.findById(ctx.db, link_id)
  const session_id = thread?.session_id ?? null
  if (prompt_id === null || session_id === null || link === undefined) return false
  const person = await contextOf(ctx, channel, link)
  try {
    await cancelPrompt(person, { project_id, session_id, prompt_id })
    return true
  } catch (error) {
    // It runs already, or the writer may not speak there any more.
    if (error instanceof ServiceError) return false
    throw error
  }
}
