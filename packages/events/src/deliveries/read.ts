import { type Context, decodeCursor, encodeCursor } from '@svc/context'
import { eventDeliveries, type EventAttemptRow, type ListedDelivery } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { EventDeliveryState } from '@svc/event'
import { z } from 'zod'
import { requireSubscription, type SubscriptionInput } from '../subscriptions/place.ts'

const Place = z.object({ position: z.int() })
type Asking = Pick<Context, 'db' | 'principal' | 'trail'>

export type ListDeliveriesInput = SubscriptionInput & {
  readonly state?: EventDeliveryState | undefined
  readonly event_id?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Newest first. */
export async function listDeliveries(ctx: Asking, input: ListDeliveriesInput) {
  const { row } = await requireSubscription(ctx, input)
  const { state, event_id, limit, cursor } = input
  const before = cursor === undefined ? undefined : decodeCursor(Place, cursor).position
  const { subscription_id } = row
  const rows = await eventDeliveries.list(ctx.db, {
    subscription_id,
    state,
    event_id,
    before,
    limit: limit + 1,
  })
  const [page, last] = [rows.slice(0, limit), rows[limit - 1]]
  const next_cursor = rows.length > limit && last ? encodeCursor({ position: last.position }) : null
  return { deliveries: page.map(presentDelivery), next_cursor }
}

/** With its tries. */
export async function getDelivery(ctx: Asking, input: SubscriptionInput & { readonly delivery_id: string }) {
  const { row } = await requireSubscription(ctx, input)
  const key = { subscription_id: row.subscription_id, delivery_id: input.delivery_id }
  const delivery = await eventDeliveries.find(ctx.db, key)
  if (!delivery)
    throw new ServiceError('not_found', 'There is no such delivery; list those of the subscription')
  const tries = await eventDeliveries.attempts(ctx.db, delivery.delivery_id)
  return { ...presentDelivery(delivery), tries: tries.map(presentTry) }
}

function presentDelivery(row: ListedDelivery) {
  return {
    delivery_id: row.delivery_id,
    subscription_id: row.subscription_id,
    event_id: row.event_id,
    type: row.type,
    sequence: row.sequence,
    replay: row.replay,
    state: row.state,
    attempts: row.attempts,
    next_at: row.next_at?.toISOString() ?? null,
    last_status: row.last_status,
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

const presentTry = ({ number, at, status, duration_ms, error, answer }: EventAttemptRow) => ({
  ...{ number, at: at.toISOString(), status, duration_ms, error, answer },
})
