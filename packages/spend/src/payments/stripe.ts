import { createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import type { PaymentAdapter, PaymentEvent, PaymentNews } from './adapter.ts'

const toleranceMs = 5 * 60_000

/** Stripe's webhooks: `Stripe-Signature: t=<seconds>,v1=<hex>` over `<t>.<body>`. */
export function stripe(secret: string): PaymentAdapter {
  return {
    name: 'stripe',
    verify(raw, headers, now) {
      const parts = (headers.get('stripe-signature') ?? '').split(',').map((part) => part.trim().split('='))
      const time = parts.find(([name]) => name === 't')?.[1] ?? ''
      if (!/^\d{1,12}$/.test(time) || Math.abs(now.getTime() - Number(time) * 1_000) > toleranceMs)
        return false
      const wanted = createHmac('sha256', secret).update(`${time}.`).update(raw).digest()
      return parts.some(([name, value = '']) => {
        const given = Buffer.from(value, 'hex')
        return name === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted)
      })
    },
    read: (raw) => eventOf(raw),
  }
}

const Envelope = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  /** Seconds since 1970. */
  created: z.int().min(0).max(100_000_000_000),
  data: z.object({ object: z.unknown() }),
})

const Checkout = z.object({
  client_reference_id: z.uuid(),
  customer: z.string().max(255).nullish(),
  payment_status: z.literal('paid'),
  amount_total: z.int().positive().max(100_000_000),
  currency: z.literal('usd'),
})

const Subscription = z.object({
  id: z.string().min(1).max(255),
  customer: z.string().max(255),
  status: z.string(),
  metadata: z.object({ account_id: z.uuid().optional() }).optional(),
  items: z.object({
    data: z.array(
      z.object({ price: z.object({ metadata: z.object({ svc_tier: z.string().optional() }).optional() }) }),
    ),
  }),
})

function eventOf(raw: Uint8Array): PaymentEvent {
  const envelope = Envelope.safeParse(parsed(raw))
  if (!envelope.success)
    throw new ServiceError(
      'invalid_request',
      'This is no event of Stripe; let Stripe itself send to this address',
    )
  const { id: event_id, type, created, data } = envelope.data
  if (type === 'checkout.session.completed') return { event_id, news: purchaseOf(data.object) }
  if (type.startsWith('customer.subscription.'))
    return { event_id, news: subscriptionOf(data.object, created, type.endsWith('.deleted')) }
  return { event_id, news: null }
}

function parsed(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(raw))
  } catch {
    return null
  }
}

/** An amount in cents; what is not paid, or not in US dollars, buys nothing. */
function purchaseOf(object: unknown): PaymentNews | null {
  const checkout = Checkout.safeParse(object)
  if (!checkout.success) return null
  const { client_reference_id: account_id, customer, amount_total } = checkout.data
  return { kind: 'purchase', account_id, customer_id: customer ?? null, amount_micros: amount_total * 10_000 }
}

const canceled = new Set(['canceled', 'incomplete_expired'])
const paying = new Set(['active', 'trialing'])

function subscriptionOf(object: unknown, created: number, is_deleted: boolean): PaymentNews | null {
  const subscription = Subscription.safeParse(object)
  if (!subscription.success) return null
  const { id: subscription_id, customer: customer_id, status, metadata, items } = subscription.data
  const is_canceled = is_deleted || canceled.has(status)
  const tier = items.data.map(({ price }) => price.metadata?.svc_tier).find((name) => name !== undefined)
  return {
    ...{
      kind: 'subscription',
      subscription_id,
      event_at: new Date(created * 1_000),
      customer_id,
      account_id: metadata?.account_id ?? null,
    },
    billing_state: is_canceled ? 'canceled' : paying.has(status) ? 'active' : 'past_due',
    tier: is_canceled ? null : (tier ?? null),
  }
}
