import { actingUser, type Context, recordAudit, requireWritesOpen } from '@svc/context'
import { eventSubscriptions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { newSigningSecret } from '@svc/event'
import { eventSubscriptionPlace } from '@svc/services'
import { headersName, sealFor, secretName } from '../sealing.ts'
import { checkFields, type SubscriptionFields } from './check.ts'
import { auditTarget, type EventPlace, operationOf, requirePlace } from './place.ts'
import { presentSubscription } from './present.ts'

const maxSubscriptions = 50

export type CreateSubscriptionInput = EventPlace &
  SubscriptionFields & { readonly url: string; readonly types: readonly string[] }

/** Tells an address of events from now on. `secret` is in this answer and never again. */
export async function createSubscription(ctx: Context, input: CreateSubscriptionInput) {
  const place = await requirePlace(ctx, input, 'project.connector.write')
  requireWritesOpen(ctx)
  await checkFields(ctx, input)
  const { url, types, name = null, ordering = 'none', headers = {} } = input
  const [subscription_id, secret_id, now, secret] = [ctx.newId(), ctx.newId(), ctx.now(), newSigningSecret()]
  const { sealed: sealed_data_key } = ctx.vault.createDataKey(eventSubscriptionPlace(subscription_id))
  const seal = (of: string, text: string) => sealFor(ctx, { subscription_id, sealed_data_key }, of, text)
  const header_names = Object.keys(headers).sort()
  const row = await ctx.db.transaction().execute(async (tx) => {
    if ((await eventSubscriptions.count(tx, place)) >= maxSubscriptions)
      throw new ServiceError('conflict', `There are ${maxSubscriptions} subscriptions; remove one first`)
    const made = await eventSubscriptions.insert(tx, {
      ...place,
      ...{ subscription_id, url, name, types: [...types], ordering, sealed_data_key, header_names },
      sealed_headers: header_names.length === 0 ? null : seal(headersName, JSON.stringify(headers)),
      ...{ status: 'enabled', disabled_reason: null, disabled_at: null },
      created_by: actingUser(ctx.principal),
      ...{ created_at: now, updated_at: now },
    })
    const sealed_secret = seal(secretName(secret_id), secret)
    await eventSubscriptions.insertSecret(tx, {
      ...{ secret_id, subscription_id, sealed_secret, not_after: null, created_at: now },
    })
    await recordAudit(ctx, tx, {
      ...place,
      action: operationOf(input, 'createEventSubscription'),
      target: auditTarget(place, subscription_id),
      details: { url, types, ordering },
    })
    return made
  })
  return { ...presentSubscription(row), secret }
}
