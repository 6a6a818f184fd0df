import { ServiceError } from '@svc/errors'
import { backOffMs } from '@svc/timing'
import { channelDeliveries, type ChannelDeliveryRow, type ChannelRow, channels } from '@svc/db/channels'
import { ChannelRefused, RateLimited } from '@svc/channel'
import type { ChannelWorkerContext } from '../context.ts'
import { workDeleted } from './deleted.ts'
import { leaseMs, maxAttempts } from './lease.ts'
import { workMessage } from './message.ts'
import { blockChannel, endChannel } from './platform-of.ts'
import { workAction } from './presses/work-action.ts'

const awaited: ReadonlySet<string> = new Set(['maintenance', 'session_starting'])

/** Messages that one look takes up. */
const batch = 500

/** Works what came in by a channel, threads beside each other, until nothing is due. */
export async function workDeliveries(
  ctx: ChannelWorkerContext,
  channel_id: string,
  concurrency = 16,
): Promise<void> {
  let claimed = true
  while (claimed && !ctx.signal.aborted) {
    claimed = false
    const waiting = (await channelDeliveries.due(ctx.db, channel_id, ctx.now(), batch)).values()
    const takeTurns = async () => {
      for (const delivery_id of waiting) if (await workDelivery(ctx, delivery_id)) claimed = true
    }
    await Promise.all(Array.from({ length: concurrency }, takeTurns))
  }
}

/**
 * Works something that came in, up to its verdict. What fails for a while is tried again; then it waits for a replay. False
 * where it is not for this worker to take.
 */
export async function workDelivery(ctx: ChannelWorkerContext, delivery_id: string): Promise<boolean> {
  const now = ctx.now()
  const until = new Date(now.getTime() + leaseMs)
  const delivery = await channelDeliveries.claim(ctx.db, delivery_id, { now, until })
  if (delivery === undefined) return false
  const channel = await channels.findById(ctx.db, delivery.channel_id)
  if (channel === undefined) return false
  try {
    if (channel.status === 'disconnected')
      throw new ServiceError('conflict', 'The channel is disconnected; connect it anew')
    await judge(ctx, channel, delivery)
  } catch (error) {
    await putOff(ctx, channel, delivery, error)
  }
  return true
}

async function judge(
  ctx: ChannelWorkerContext,
  channel: ChannelRow,
  delivery: ChannelDeliveryRow,
): Promise<void> {
  const { body } = delivery
  switch (body?.kind) {
    case 'message':
      return workMessage(ctx, { channel, delivery, message: body })
    case 'action':
      return workAction(ctx, { channel, delivery, action: body })
    case 'deleted':
      return workDeleted(ctx, { channel, delivery, deleted: body })
    case 'membership':
    case undefined:
      await channelDeliveries.move(ctx.db, delivery.delivery_id, 'ignore', {
        ...{ now: ctx.now(), reason: body === undefined ? 'not_kept' : 'membership' },
      })
  }
}

async function putOff(
  ctx: ChannelWorkerContext,
  channel: ChannelRow,
  { delivery_id, attempts }: ChannelDeliveryRow,
  error: unknown,
): Promise<void> {
  const now = ctx.now()
  const reason = error instanceof ServiceError ? error.code : 'internal_error'
  if (error instanceof RateLimited) await blockChannel(ctx, channel, error)
  const isRefused = error instanceof ChannelRefused && error.reason === 'credential_refused'
  if (isRefused) await endChannel(ctx, channel, error)
  // The end of a maintenance is waited for, however long it lasts; so are room for a session, and new credentials.
  const isOut = isRefused || channel.status === 'disconnected'
  const isAwaited = error instanceof RateLimited || awaited.has(reason) || isOut
  if (!isAwaited && attempts + 1 >= maxAttempts) {
    ctx.log.warn({ err: error, delivery_id }, 'a message of a channel could not be worked')
    await channelDeliveries.move(ctx.db, delivery_id, 'fail', { now, reason })
    return
  }
  if (!isAwaited) ctx.log.info({ err: error, delivery_id }, 'a message of a channel is tried again')
  const pause = error instanceof RateLimited ? error.retry_after_ms : backOffMs(attempts, 1_000, 60_000)
  const retry_at = new Date(now.getTime() + pause)
  await channelDeliveries.putOff(ctx.db, delivery_id, { retry_at, reason, counts: !isAwaited })
}
