import { type Context, recordAudit, requireWritesOpen } from '@svc/context'
import {
  type Db,
  eventDeliveries,
  eventReplays,
  eventSubscriptions,
  platformEvents,
  type Replayable,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type EventDeliveryState, matches } from '@svc/event'
import {
  auditTarget,
  type FoundPlace,
  noSubscription,
  operationOf,
  requireSubscription,
  type SubscriptionInput,
} from '../subscriptions/place.ts'

const maxReplay = 10_000

export interface ReplayWish {
  readonly event_id?: string | undefined
  readonly delivery_id?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly states?: readonly EventDeliveryState[] | undefined
}

/**
 * Sends events once more with the ids that they have: one, or those of a time that the subscription asks for. One that
 * waits already is not sent twice.
 */
export async function replayEvents(ctx: Context, input: SubscriptionInput & ReplayWish) {
  const { place, row } = await requireSubscription(ctx, input, 'project.connector.write')
  requireWritesOpen(ctx)
  const { subscription_id } = row
  if (row.status === 'disabled')
    throw new ServiceError('conflict', 'The subscription is disabled; enable it before a replay')
  const now = ctx.now()
  const deliveries = await ctx.db.transaction().execute(async (tx) => {
    const held = await eventSubscriptions.lock(tx, subscription_id)
    if (!held) throw noSubscription()
    const events = await wished(tx, place, input, held.types, now)
    const wanted = events.flatMap(({ event_id, replay }) =>
      replay === null ? [] : [{ delivery_id: ctx.newId(), event_id, replay }],
    )
    const made = await eventDeliveries.append(tx, held, wanted, now)
    await recordAudit(ctx, tx, {
      ...place,
      action: operationOf(input, 'replayEvents'),
      target: auditTarget(place, subscription_id),
      details: { deliveries: made },
    })
    return made
  })
  await ctx.enqueue('channel', 'event.deliver', { subscription_id })
  return { deliveries }
}

async function wished(
  tx: Db,
  place: FoundPlace,
  { subscription_id, event_id, delivery_id, since, until, states }: { subscription_id: string } & ReplayWish,
  types: readonly string[],
  now: Date,
): Promise<readonly Replayable[]> {
  if (delivery_id !== undefined) {
    const delivery = await eventDeliveries.find(tx, { subscription_id, delivery_id })
    if (!delivery)
      throw new ServiceError('not_found', 'There is no such delivery; list those of the subscription')
    return oneOf(await eventReplays.findOne(tx, { subscription_id, event_id: delivery.event_id }))
  }
  if (event_id !== undefined) {
    const event = await platformEvents.find(tx, { account_id: place.account_id, event_id })
    if (!event || (place.project_id !== null && event.project_id !== place.project_id))
      throw new ServiceError('not_found', 'There is no such event; list the events that are kept')
    return oneOf(await eventReplays.findOne(tx, { subscription_id, event_id }))
  }
  const rows = await eventReplays.list(
    tx,
    {
      ...place,
      subscription_id,
      since: new Date(since ?? 0),
      until: until === undefined ? now : new Date(until),
      states: states ?? null,
    },
    // Those that it does not ask for are among them.
    10 * maxReplay + 1,
  )
  const asked = rows.filter(({ type }) => matches(types, type))
  if (asked.length > maxReplay)
    throw new ServiceError(
      'invalid_request',
      `${asked.length} events are of that time and a replay takes ${maxReplay}; choose a shorter one`,
      { count: asked.length, issues: [{ path: 'since', message: `names more than ${maxReplay} events` }] },
    )
  return asked
}

const oneOf = (row: Replayable | undefined) => (row === undefined ? [] : [row])
