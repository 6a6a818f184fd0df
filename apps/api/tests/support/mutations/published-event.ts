import { randomUUID } from 'node:crypto'
import { type Db, eventDeliveries, eventSubscriptions, platformEvents } from '@svc/db'

/** An event that got its place in the sequence, as a channel-worker would have given it. */
export async function publishedEvent(
  db: Db,
  { account_id, project_id }: { readonly account_id: string; readonly project_id: string },
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const data = { slug: null, type: null, fire_id: null, session_id: null, reason: null }
    const id = await platformEvents.record(tx, { account_id, project_id, type: 'trigger.paused', data })
    const last_seq = await platformEvents.lockHead(tx, account_id)
    await platformEvents.publish(tx, { account_id, last_seq, now: new Date(), limit: 10_000 })
    return id
  })
}

/** A delivery of a new event that waits. */
export async function makeDelivery(
  db: Db,
  place: { readonly account_id: string; readonly project_id: string; readonly subscription_id: string },
): Promise<string> {
  const [event_id, delivery_id] = [await publishedEvent(db, place), randomUUID()]
  await db.transaction().execute(async (tx) => {
    const held = await eventSubscriptions.lock(tx, place.subscription_id)
    if (!held) throw new Error('There is no such subscription')
    await eventDeliveries.append(tx, held, [{ delivery_id, event_id, replay: 0 }], new Date())
  })
  return delivery_id
}
