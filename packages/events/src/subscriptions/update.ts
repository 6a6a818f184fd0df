import { type Context, recordAudit, requireWritesOpen } from '@svc/context'
import { eventDeliveries, eventSubscriptions } from '@svc/db'
import { headersName, sealFor } from '../sealing.ts'
import { checkFields, type SubscriptionFields } from './check.ts'
import {
  auditTarget,
  noSubscription,
  operationOf,
  requireSubscription,
  type SubscriptionInput,
} from './place.ts'
import { presentSubscription } from './present.ts'

export type UpdateSubscriptionInput = SubscriptionInput &
  SubscriptionFields & { readonly status?: 'enabled' | 'disabled' | undefined }

/** Absent fields stay. Disabling cancels what waits; enabling counts failures anew. */
export async function updateSubscription(ctx: Context, input: UpdateSubscriptionInput) {
  const { place, row: found } = await requireSubscription(ctx, input, 'project.connector.write')
  requireWritesOpen(ctx)
  await checkFields(ctx, input)
  const { subscription_id } = found
  const { url, name, types, ordering, headers, status } = input
  const now = ctx.now()
  const names = headers && Object.keys(headers).sort()
  const patch = {
    ...(url !== undefined && { url }),
    ...(name !== undefined && { name }),
    ...(types !== undefined && { types: [...types] }),
    ...(ordering !== undefined && { ordering }),
    ...(names !== undefined && {
      header_names: names,
      sealed_headers: names.length === 0 ? null : sealFor(ctx, found, headersName, JSON.stringify(headers)),
    }),
  }
  const row = await ctx.db.transaction().execute(async (tx) => {
    if (!(await eventSubscriptions.lock(tx, subscription_id))) throw noSubscription()
    await eventSubscriptions.patch(tx, subscription_id, { ...patch, updated_at: now })
    if (status === 'enabled') await eventSubscriptions.enable(tx, subscription_id, now)
    if (status === 'disabled' && (await eventSubscriptions.disable(tx, subscription_id, 'user', now)))
      await eventDeliveries.cancelOpen(tx, subscription_id, now)
    const after = await eventSubscriptions.lock(tx, subscription_id)
    if (!after) throw noSubscription()
    await recordAudit(ctx, tx, {
      ...place,
      action: operationOf(input, 'updateEventSubscription'),
      target: auditTarget(place, subscription_id),
      details: { ...(url !== undefined && { url }), ...(types && { types }), ...(status && { status }) },
    })
    return after
  })
  return presentSubscription(row)
}

/** Ends what waits as well; events stay. */
export async function deleteSubscription(ctx: Context, input: SubscriptionInput): Promise<void> {
  const { place, row } = await requireSubscription(ctx, input, 'project.connector.write')
  requireWritesOpen(ctx)
  const { subscription_id } = row
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await eventSubscriptions.remove(tx, subscription_id))) throw noSubscription()
    const target = auditTarget(place, subscription_id)
    await recordAudit(ctx, tx, { ...place, action: operationOf(input, 'deleteEventSubscription'), target })
  })
}
