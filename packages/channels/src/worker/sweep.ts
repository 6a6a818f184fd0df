import { channelLimits } from '@svc/channel'
import { channelDeliveries, channelMessages, channelOutbox } from '@svc/db/channels'
import type { ChannelWorkerContext } from '../context.ts'
import { closeCard } from './cards.ts'
import { staleMs } from './outbox.ts'

const batch = 500

export interface OwedWork {
  /** Channels with something that came in. */
  readonly receiving: readonly string[]
  /** Channels with something to send. */
  readonly sending: readonly string[]
}

/** Work that is owed now: words of changes may be lost, and workers die. A message that waited for too long comes to its end. */
export async function sweepChannels(ctx: ChannelWorkerContext): Promise<OwedWork> {
  const now = ctx.now()
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const expired = await channelDeliveries.expire(ctx.db, {
    ...{
      held_before: before(channelLimits.linkMinutes),
      asked_before: before(channelLimits.askMinutes),
      now,
    },
  })
  for (const { delivery_id, thread_id, reason } of expired)
    if (reason === 'not_answered' && thread_id !== null)
      await ctx.db.transaction().execute(async (tx) => {
        const card = await channelMessages.lockBySubject(tx, {
          thread_id,
          subject_key: `writer:${delivery_id}`,
        })
        if (card !== undefined) await closeCard(ctx, tx, card, 'No answer came in time')
      })
  ctx.metrics.set('svc_channel_oldest_waiting_seconds', {}, await age(ctx, now))
  const [receiving, sending] = await Promise.all([
    channelDeliveries.dueChannels(ctx.db, now),
    channelOutbox.dueChannels(ctx.db, { now, stale_before: new Date(now.getTime() - staleMs) }, batch),
  ])
  return { receiving, sending }
}

async function age(ctx: ChannelWorkerContext, now: Date): Promise<number> {
  const oldest = await channelMessages.oldestWaiting(ctx.db)
  return oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000)
}
