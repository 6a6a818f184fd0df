import { recordAudit, requireWritesOpen } from '@svc/context'
import { channelDeliveries, channelFiles } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { type ChannelInput, channelTarget, requireChannel } from '../channel/find.ts'
import type { ChannelContext } from '../context.ts'
import { presentDelivery } from './read.ts'

/** Works something that came in once more: only what failed, so that nothing is done twice. */
export async function replayChannelDelivery(
  ctx: Pick<ChannelContext, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'maintenance'>,
  input: ChannelInput & { readonly delivery_id: string },
) {
  const { row } = await requireChannel(ctx, input, 'project.connector.connections.manage')
  requireWritesOpen(ctx)
  const { delivery_id } = input
  const { account_id, project_id, channel_id } = row
  const released = await ctx.db.transaction().execute(async (tx) => {
    const found = await channelDeliveries.find(tx, { channel_id, delivery_id })
    if (!found || found.body === null)
      throw new ServiceError('not_found', 'There is no such delivery; list those of the channel')
    const done =
      found.verdict === 'failed' &&
      (await channelDeliveries.move(tx, delivery_id, 'release', { now: ctx.now() }))
    if (!done)
      throw new ServiceError(
        'delivery_not_failed',
        `This delivery is ${found.verdict}; only one that failed is worked again`,
      )
    await recordAudit(ctx, tx, {
      ...{ account_id, project_id, action: 'replayChannelDelivery' },
      target: `${channelTarget(row)}/deliveries/${delivery_id}`,
    })
    return { ...found, verdict: 'pending' as const, reason: null, attempts: 0 }
  })
  return presentDelivery(released, await channelFiles.ofDelivery(ctx.db, delivery_id))
}
