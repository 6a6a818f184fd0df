import { type Context, recordAudit, requireWritesOpen } from '@svc/context'
import { platformEvents } from '@svc/db'
import { ServiceError } from '@svc/errors'
import {
  auditTarget,
  operationOf,
  requireSubscription,
  type SubscriptionInput,
} from '../subscriptions/place.ts'

/** A trial event for this subscription alone, whatever types it asks for. */
export async function pingSubscription(ctx: Context, input: SubscriptionInput) {
  const { place, row } = await requireSubscription(ctx, input, 'project.connector.write')
  requireWritesOpen(ctx)
  const { subscription_id } = row
  if (row.status === 'disabled')
    throw new ServiceError('conflict', 'The subscription is disabled; enable it before you try it')
  const event_id = await ctx.db.transaction().execute(async (tx) => {
    const id = await platformEvents.record(tx, { ...place, type: 'ping', data: { subscription_id } })
    const target = auditTarget(place, subscription_id)
    await recordAudit(ctx, tx, { ...place, action: operationOf(input, 'pingEventSubscription'), target })
    return id
  })
  return { event_id }
}
