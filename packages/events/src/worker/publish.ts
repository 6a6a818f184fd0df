import {
  type Db,
  eventDeliveries,
  eventSubscriptions,
  notify,
  type PlatformEventRow,
  platformEvents,
} from '@svc/db'
import { matches } from '@svc/event'
import type { SubscriptionRow } from '@svc/db'
import type { EventWorkerContext } from './context.ts'

const batch = 500

/**
 * Gives each waiting event of an account its place in the sequence, and a delivery for every subscription that asks for it
 * and is there by then; people whom it concerns are told. One worker at a time holds the account's sequence. How many events.
 */
export async function publishEvents(
  ctx: Pick<EventWorkerContext, 'db' | 'enqueue' | 'now' | 'newId' | 'metrics' | 'people'>,
  { account_id }: { readonly account_id: string },
): Promise<number> {
  let count = 0
  for (;;) {
    const { events, notified } = await ctx.db.transaction().execute((tx) => publishBatch(ctx, tx, account_id))
    count += events.length
    ctx.metrics.count('svc_events_published_total', {}, events.length)
    for (const subscription_id of notified) await ctx.enqueue('channel', 'event.deliver', { subscription_id })
    if (events.length < batch) return count
  }
}

async function publishBatch(
  ctx: Pick<EventWorkerContext, 'now' | 'newId' | 'people'>,
  tx: Db,
  account_id: string,
): Promise<{ events: readonly PlatformEventRow[]; notified: readonly string[] }> {
  const [last_seq, now] = [await platformEvents.lockHead(tx, account_id), ctx.now()]
  const events = await platformEvents.publish(tx, { account_id, last_seq, now, limit: batch })
  if (events.length === 0) return { events, notified: [] }
  const notified: string[] = []
  for (const subscription of await eventSubscriptions.lockEnabled(tx, account_id)) {
    const asked = events.filter((event) => isAsked(subscription, event))
    const deliveries = asked.map(({ event_id }) => ({ delivery_id: ctx.newId(), event_id, replay: 0 }))
    if ((await eventDeliveries.append(tx, subscription, deliveries, now)) > 0)
      notified.push(subscription.subscription_id)
  }
  await ctx.people.notify(tx, events)
  await notify(tx, 'published', { account_id })
  return { events, notified }
}

function isAsked(
  { subscription_id, project_id, types }: SubscriptionRow,
  event: Pick<PlatformEventRow, 'type' | 'project_id' | 'data'>,
): boolean {
  if (event.type === 'ping') return event.data['subscription_id'] === subscription_id
  if (project_id !== null && event.project_id !== project_id) return false
  return matches(types, event.type)
}
