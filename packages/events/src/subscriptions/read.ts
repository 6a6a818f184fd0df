import type { Context } from '@svc/context'
import { eventSubscriptions } from '@svc/db'
import { type EventPlace, requirePlace, requireSubscription, type SubscriptionInput } from './place.ts'
import { presentSubscription } from './present.ts'

type Asking = Pick<Context, 'db' | 'principal' | 'trail'>

/** Those of the account and all of its projects, or those of one project; oldest first. */
export async function listSubscriptions(ctx: Asking, input: EventPlace) {
  const rows = await eventSubscriptions.list(ctx.db, await requirePlace(ctx, input))
  return { subscriptions: rows.map(presentSubscription) }
}

export async function getSubscription(ctx: Asking, input: SubscriptionInput) {
  return presentSubscription((await requireSubscription(ctx, input)).row)
}
