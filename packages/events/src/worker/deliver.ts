import { recordAuditFor } from '@svc/context'
import {
  type ClaimedDelivery,
  type Db,
  type DeliveryEnd,
  eventDeliveries,
  type EventDeliveryRow,
  eventSubscriptions,
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
/** Requests to one receiver at a time. */
const atOnce = 8

interface Ended {
  readonly delivery: EventDeliveryRow
  readonly began: Date
  readonly ended: Date
  readonly answer: Answer
}

interface Round {
  readonly ended: readonly Ended[]
  /** Claimed, and not begun while there was time for it. */
  readonly left: readonly EventDeliveryRow[]
}

interface Claimed {
  readonly subscription: SubscriptionRow
  readonly deliveries: readonly ClaimedDelivery[]
  readonly secrets: readonly string[]
}

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
  let round: Round = { ended: [], left: [] }
  for (;;) {
    const { ended, left } = round
    const claimed = await ctx.db.transaction().execute(async (tx) => {
      const held = await eventSubscriptions.lock(tx, subscription_id)
      if (!held) return null
      if (left.length > 0) await eventDeliveries.release(tx, left, ctx.now())
      const status = ended.length > 0 ? await settle(ctx, tx, held, ended) : held.status
      return status === 'disabled' || ctx.signal.aborted ? null : claim(ctx, tx, held)
    })
    count += ended.length
    if (claimed === null || claimed.deliveries.length === 0) return count
    round = await sendAll(ctx, claimed)
  }
}

async function claim(ctx: EventWorkerContext, tx: Db, subscription: SubscriptionRow): Promise<Claimed> {
  const now = ctx.now()
  const deliveries = await eventDeliveries.claim(tx, subscription, { now, lease_ms: leaseMs })
  const sealed =
    deliveries.length === 0 ? [] : await eventSubscriptions.secrets(tx, subscription.subscription_id, now)
  const secrets = sealed.map(({ secret_id, sealed_secret }) =>
    openFor(ctx, subscription, secretName(secret_id), sealed_secret),
  )
  return { subscription, deliveries, secrets }
}

/** Eight at a time; one is begun only while its lease has the time of a whole try left. */
async function sendAll(
  ctx: EventWorkerContext,
  { subscription, deliveries, secrets }: Claimed,
): Promise<Round> {
  const headers = headersOf(ctx, subscription)
  const waiting = [...deliveries]
  const ended: Ended[] = []
  const begun = performance.now()
  const mayBegin = () => !ctx.signal.aborted && performance.now() - begun < leaseMs - tryMs
  const sendNext = async () => {
    for (let next = mayBegin() && waiting.shift(); next; next = mayBegin() && waiting.shift()) {
      const { event, ...delivery } = next
      const began = ctx.now()
      const answer = await sendEvent(
        ctx,
        {
          ...{
            url: subscription.url,
            event_id: event.event_id,
            body: JSON.stringify(presentEvent(ctx.settings, event)),
          },
          ...{ secrets, headers, attempt: delivery.attempts, replay: delivery.replay },
        },
        began,
      )
      if (answer !== null) ended.push({ delivery, began, ended: ctx.now(), answer })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendNext))
  return { ended, left: waiting }
}

function headersOf(ctx: EventWorkerContext, subscription: SubscriptionRow): Readonly<Record<string, string>> {
  const { sealed_headers } = subscription
  if (sealed_headers === null) return {}
  const headers: unknown = JSON.parse(openFor(ctx, subscription, headersName, sealed_headers))
  return Object.fromEntries(Object.entries(Object(headers)).map(([name, value]) => [name, String(value)]))
}

const gone = 410

/** Writes how tries ended, those that were taken together; the status that the subscription has after it. */
async function settle(
  ctx: EventWorkerContext,
  tx: Db,
  held: SubscriptionRow,
  tries: readonly Ended[],
): Promise<SubscriptionRow['status']> {
  const now = ctx.now()
  await eventDeliveries.logAttempts(tx, tries.map(attemptOf))
  const taken = tries.filter(({ answer }) => answer.error === null)
  if (taken.length > 0) {
    const done = taken.map(({ delivery, answer }) => ({ ...delivery, status: answer.status }))
    const count = await eventDeliveries.finishDelivered(tx, done, now)
    ctx.metrics.count('svc_event_deliveries_total', { outcome: 'delivered' }, count)
    if (held.exhausted_in_a_row > 0) await eventSubscriptions.clearExhausted(tx, held.subscription_id)
  }
  for (const { delivery, answer } of tries) {
    if (answer.error === null) continue
    const end = endOf(ctx, delivery, answer, now)
    if (!(await eventDeliveries.finish(tx, delivery, end, now))) continue
    ctx.metrics.count('svc_event_deliveries_total', { outcome: outcomes[end.event] })
    const reason = await reasonToDisable(ctx, tx, held, end, answer)
    if (reason === null) continue
    await disable(ctx, tx, held, reason)
    return 'disabled'
  }
  return held.status
}

const attemptOf = ({ delivery, began, ended, answer: { status, error, answer } }: Ended) => ({
  ...{ delivery_id: delivery.delivery_id, number: delivery.attempts, at: began, status, error, answer },
  duration_ms: Math.max(0, ended.getTime() - began.getTime()),
})

async function reasonToDisable(
  { event_settings }: EventWorkerContext,
  tx: Db,
  { subscription_id }: SubscriptionRow,
  { event }: DeliveryEnd,
  { status }: Answer,
): Promise<'gone' | 'too_many_failures' | null> {
  if (status === gone) return 'gone'
  if (event !== 'exhaust') return null
  const inARow = await eventSubscriptions.countExhausted(tx, subscription_id)
  return inARow >= event_settings.disable_after ? 'too_many_failures' : null
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
  const at = ctx.now()
  if (!(await eventSubscriptions.disable(tx, subscription_id, reason, at))) return
  await ctx.people.notifyDisabled(tx, { subscription, reason, at })
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
