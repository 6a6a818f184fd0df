import type { WriterDecision } from '@svc/channel'
import { recordAudit, requireUser, requireWritesOpen } from '@svc/context'
import { channelDeliveries, channelFiles } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { type ChannelInput, channelTarget, requireChannel } from '../channel/find.ts'
import type { ChannelContext } from '../context.ts'
import { decideWriter, requireThreadOwner } from './decide-writer.ts'
import { presentDelivery } from './read.ts'

/** The person who began a thread lets a message of another through to its agent, or does not. */
export async function decideChannelDelivery(
  ctx: Pick<ChannelContext, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'maintenance'>,
  input: ChannelInput & { readonly delivery_id: string; readonly decision: WriterDecision },
) {
  const { row } = await requireChannel(ctx, input, 'project.session.start')
  const { user_id } = requireUser(ctx)
  requireWritesOpen(ctx)
  const { delivery_id, decision } = input
  const { account_id, project_id, channel_id } = row
  const found = await channelDeliveries.find(ctx.db, { channel_id, delivery_id })
  if (!found || found.body === null)
    throw new ServiceError('not_found', 'There is no such delivery; list those of the channel')
  const { thread, owner } = await requireThreadOwner(ctx.db, found.thread_id, user_id)
  const settled = await ctx.db.transaction().execute(async (tx) => {
    await decideWriter(tx, {
      ...{ channel_id, delivery_id, thread, decision },
      ...{ display: owner.display, now: ctx.now() },
    })
    await recordAudit(ctx, tx, {
      ...{ account_id, project_id, action: 'decideChannelDelivery', details: { decision } },
      target: `${channelTarget(row)}/deliveries/${delivery_id}`,
    })
    return channelDeliveries.find(tx, { channel_id, delivery_id })
  })
  return presentDelivery(settled ?? found, await channelFiles.ofDelivery(ctx.db, delivery_id))
}
