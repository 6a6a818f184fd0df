import { eventDeliveries, platformEvents } from '@svc/db'
import type { EventWorkerContext } from './context.ts'
import { publishEvents } from './publish.ts'

const batch = 1000
/** Subscriptions that one look takes up. */
const atOnce = 100

/**
 * Finds what no job is about: events without a sequence, and deliveries that are due or whose worker is gone. Those are
 * handed to `deliver`: the job of a worker that died is not waited for.
 */
export async function sweepEvents(
  ctx: EventWorkerContext,
  deliver: (subscription_id: string) => void,
): Promise<void> {
  for (const account_id of await platformEvents.unpublishedAccounts(ctx.db, batch))
    await publishEvents(ctx, { account_id })
  ctx.metrics.set('svc_event_lag_seconds', {}, await platformEvents.lag(ctx.db, ctx.now()))
  for (const subscription_id of await eventDeliveries.dueSubscriptions(ctx.db, ctx.now(), atOnce))
    deliver(subscription_id)
}

/** Removes events that are kept no more, with their deliveries; how many. */
export async function forgetEvents(ctx: EventWorkerContext): Promise<number> {
  const before = new Date(ctx.now().getTime() - 86_400_000 * ctx.event_settings.keep_days)
  let count = 0
  for (;;) {
    const removed = await platformEvents.forget(ctx.db, before, batch)
    count += removed
    if (removed < batch || ctx.signal.aborted) return count
  }
}
