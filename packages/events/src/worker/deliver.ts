import { recordAuditFor } from '@svc/context'
import {
  type Db,
  type DeliveryEnd,
  eventDeliveries,
  type EventDeliveryRow,
  eventSubscriptions,
  platformEvents,
  type SubscriptionRow,
} from '@svc/db'
import { nextTry } from '@svc/event'
import { presentEvent } from '../log/present.ts'
import { headersName, openFor, secretName } from '../sealing.ts'
import { auditTarget } from '../subscriptions/place.ts'
import type { EventWorkerContext } from './context.ts'
import { type Answer, sendEvent, tryMs } from './send.ts'

/** The time in which a worker that lives has ended a try: after it, another one sends again. */
const leaseMs = 2 * tryMs

/**
 * Sends what is due for one subscription, until nothing is. Any number of workers may: the row of the subscription says
 * which of them begins what. A worker that dies after an answer and before its row leaves the delivery to the next one,
 * which sends it again under the same id.
 */
export async function deliverEvents(
  ctx: EventWorkerContext,
  { subscription_id }: { readonly subscription_id: string },
): Promise<number> {
  let count = 0
  while (!ctx.signal.aborted) {
    const claimed = await claim(ctx, subscription_id)
    if (claimed === null || claimed.deliveries.length === 0) return count
    await Promise.all(claimed.deliveries.map((delivery) => deliver(ctx, claimed.subscription, delivery)))
    count += claimed.deliveries.length
  }
  return count
}

function claim(ctx: EventWorkerContext, subscription_id: string) {
  return ctx.db.transaction().execute(async (tx) => {
    const subscription = await eventSubscriptions.lock(tx, subscription_id)
    if (!subscription || subscription.status === 'disabled') return null
    const deliveries = await eventDeliveries.claim(tx, subscription, { now: ctx.now(), lease_ms: leaseMs })
    return { subscription, deliveries }
  })
}

async function deliver(
  ctx: EventWorkerContext,
  subscription: SubscriptionRow,
  delivery: EventDeliveryRow,
): Promise<void> {
  const [{ account_id }, began] = [subscription, ctx.now()]
  const event = await platformEvents.find(ctx.db, { account_id, event_id: delivery.event_id })
  if (!event) return
  const secrets = await eventSubscriptions.secrets(ctx.db, subscription.subscription_id, began)
  const answer = await sendEvent(
    ctx,
    {
      url: subscription.url,
      event_id: event.event_id,
      body: JSON.stringify(presentEvent(event)),
      secrets: secrets.map(({ secret_id, sealed_secret }) =>
        openFor(ctx, subscription, secretName(secret_id), sealed_secret),
      ),
      headers: headersOf(ctx, subscription),
      attempt: delivery.attempts,
      replay: delivery.replay,
    },
    began,
  )
  await settle(ctx, subscription, delivery, answer, began)
}

function headersOf(ctx: EventWorkerContext, subscription: SubscriptionRow): Readonly<Record<string, string>> {
  const { sealed_headers } = subscription
  if (sealed_headers === null) return {}
  const headers: unknown = JSON.parse(openFor(ctx, subscription, headersName, sealed_headers))
  return Object.fromEntries(Object.entries(Object(headers)).map(([name, value]) => [name, String(value)]))
}

const gone = 410

async function settle(
  ctx: EventWorkerContext,
  subscription: SubscriptionRow,
  delivery: EventDeliveryRow,
  answer: Answer,
  began: Date,
): Promise<void> {
  const { status, error } = answer
  const now = ctx.now()
  const end = endOf(ctx, delivery, answer, now)
  await ctx.db.transaction().execute(async (tx) => {
    // The order of locks is that of a claim.
    const held = await eventSubscriptions.lock(tx, subscription.subscription_id)
    if (!held) return
    await eventDeliveries.logAttempt(tx, {
      ...{ delivery_id: delivery.delivery_id, number: delivery.attempts, at: began, status, error },
      duration_ms: Math.max(0, now.getTime() - began.getTime()),
      answer: answer.answer,
    })
    if (!(await eventDeliveries.finish(tx, delivery, end, now))) return
    ctx.metrics.count('svc_event_deliveries_total', { outcome: outcomes[end.event] })
    if (end.event === 'deliver') return eventSubscriptions.clearExhausted(tx, held.subscription_id)
    if (status === gone) return disable(ctx, tx, held, 'gone')
    if (end.event !== 'exhaust') return
    const { disable_after } = ctx.event_settings
    if ((await eventSubscriptions.countExhausted(tx, held.subscription_id)) >= disable_after)
      await disable(ctx, tx, held, 'too_many_failures')
  })
}

const outcomes = { deliver: 'delivered', fail: 'failed', exhaust: 'exhausted', cancel: 'cancelled' } as const

function endOf(
  { event_settings }: Pick<EventWorkerContext, 'event_settings'>,
  { attempts }: EventDeliveryRow,
  { status, error, retry_after }: Answer,
  now: Date,
): DeliveryEnd {
  if (error === null) return { event: 'deliver', status, error, next_at: null }
  if (status === gone) return { event: 'cancel', status, error, next_at: null }
  const wait = nextTry({ attempts, retry_after, random: Math.random() }, event_settings.retry_seconds)
  return wait === null
    ? { event: 'exhaust', status, error, next_at: null }
    : { event: 'fail', status, error, next_at: new Date(now.getTime() + wait) }
}

/** Told no more until a person enables it: what waits is cancelled, and a replay of the time fills the gap. */
async function disable(
  ctx: EventWorkerContext,
  tx: Db,
  subscription: SubscriptionRow,
  reason: 'gone' | 'too_many_failures',
): Promise<void> {
  const { subscription_id, account_id, project_id, url } = subscription
  if (!(await eventSubscriptions.disable(tx, subscription_id, reason, ctx.now()))) return
  await eventDeliveries.cancelOpen(tx, subscription_id, ctx.now())
  const actor = { type: 'system', id: 'events', on_behalf_of: null } as const
  await recordAuditFor(
    ctx,
    tx,
    { actor, session_id: null, request_id: null, ip: null },
    {
      ...{ account_id, project_id },
      action: 'disableEventSubscription',
      target: auditTarget({ account_id, project_id }, subscription_id),
      details: { reason, url },
    },
  )
}
