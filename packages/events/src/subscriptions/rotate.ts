import { type Context, recordAudit, requireWritesOpen } from '@svc/context'
import { eventSubscriptions } from '@svc/db'
import { newSigningSecret } from '@svc/event'
import { sealFor, secretName } from '../sealing.ts'
import {
  auditTarget,
  noSubscription,
  operationOf,
  requireSubscription,
  type SubscriptionInput,
} from './place.ts'

const defaultOverlapSeconds = 86_400

/**
 * A new secret, in this answer and never again. Both sign until `previous_expires_at`; one that was still in an overlap of
 * its own ends at once.
 */
export async function rotateSubscriptionSecret(
  ctx: Context,
  input: SubscriptionInput & { readonly overlap_seconds?: number | undefined },
) {
  const { place, row } = await requireSubscription(ctx, input, 'project.connector.write')
  requireWritesOpen(ctx)
  const { subscription_id } = row
  const { overlap_seconds = defaultOverlapSeconds } = input
  const [secret_id, now, secret] = [ctx.newId(), ctx.now(), newSigningSecret()]
  const not_after = new Date(now.getTime() + 1000 * overlap_seconds)
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await eventSubscriptions.lock(tx, subscription_id))) throw noSubscription()
    await eventSubscriptions.retireSecrets(tx, subscription_id, not_after)
    await eventSubscriptions.insertSecret(tx, {
      ...{ secret_id, subscription_id, not_after: null, created_at: now },
      sealed_secret: sealFor(ctx, row, secretName(secret_id), secret),
    })
    await recordAudit(ctx, tx, {
      ...place,
      action: operationOf(input, 'rotateEventSubscriptionSecret'),
      target: auditTarget(place, subscription_id),
      details: { overlap_seconds },
    })
  })
  return { secret, previous_expires_at: not_after.toISOString() }
}
