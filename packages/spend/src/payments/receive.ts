import { type BaseContext, recordAuditFor } from '@svc/context'
import { accounts, allAccounts, credit, type Db, payments, plans } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { PaymentAdapter, PaymentNews } from './adapter.ts'

type Receiving = Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>

export interface IncomingPayment {
  readonly headers: Headers
  readonly raw: Uint8Array
}

/** Takes what a payment provider tells, each event once: credit that was bought, and whether a subscription is paid. */
export async function receivePayment(
  ctx: Receiving,
  adapter: PaymentAdapter,
  { headers, raw }: IncomingPayment,
): Promise<{ readonly received: true; readonly applied: boolean }> {
  const now = ctx.now()
  if (!adapter.verify(raw, headers, now))
    throw new ServiceError(
      'unauthorized',
      'The signature does not match, or is older than five minutes; set the signing secret of this address again',
    )
  const { event_id, news } = adapter.read(raw)
  if (news === null) return { received: true, applied: false }
  const applied = await ctx.db.transaction().execute(async (tx) => {
    const account_id = await accountOf(tx, adapter.name, news)
    if (!(await payments.take(tx, { adapter: adapter.name, event_id, account_id, at: now }))) return false
    if (account_id === null) return false
    await apply(ctx, tx, { adapter: adapter.name, account_id, event_id }, news)
    return true
  })
  return { received: true, applied }
}

/** The account that the event names, or whose customer it is; locked. */
async function accountOf(tx: Db, adapter: string, news: PaymentNews): Promise<string | null> {
  const { customer_id } = news
  const account_id =
    news.account_id ??
    (customer_id === null ? undefined : await payments.findAccount(tx, adapter, customer_id))
  if (account_id === undefined) return null
  return (await allAccounts.lock(tx, account_id)) ? account_id : null
}

interface Source {
  readonly adapter: string
  readonly account_id: string
  readonly event_id: string
}

async function apply(ctx: Receiving, tx: Db, source: Source, news: PaymentNews): Promise<void> {
  const { adapter, account_id, event_id } = source
  const at = ctx.now()
  const { customer_id } = news
  if (customer_id !== null) await payments.keepCustomer(tx, { adapter, customer_id, account_id }, at)
  await credit.open(tx, account_id, at)
  const details =
    news.kind === 'purchase' ? await buy(ctx, tx, source, news) : await subscribe(tx, source, news, at)
  const asker = {
    actor: { type: 'system', id: adapter, on_behalf_of: null },
    ...{ session_id: null, request_id: null, ip: null },
  } as const
  await recordAuditFor(ctx, tx, asker, {
    ...{ account_id, action: 'receivePayment', target: `accounts/${account_id}/billing` },
    details: { adapter, event_id, ...details },
  })
}

async function buy(
  ctx: Receiving,
  tx: Db,
  { adapter, account_id, event_id }: Source,
  { amount_micros }: Extract<PaymentNews, { kind: 'purchase' }>,
) {
  await credit.addEntry(tx, {
    ...{ entry_id: ctx.newId(), account_id, at: ctx.now(), kind: 'purchase', amount_micros },
    ...{ reason: `Paid by ${adapter}`, idempotency_key: `${adapter}:${event_id}` },
  })
  return { kind: 'purchase', amount_micros }
}

/** The account goes by the best of its subscriptions; an event that is older than what is known changes none. */
async function subscribe(
  tx: Db,
  { adapter, account_id }: Source,
  {
    subscription_id,
    event_at,
    billing_state: stated,
    tier: paid,
  }: Extract<PaymentNews, { kind: 'subscription' }>,
  now: Date,
) {
  const said = { kind: 'subscription', subscription_id, event_at: event_at.toISOString() }
  const subscription = { adapter, subscription_id, account_id, billing_state: stated, tier: paid, event_at }
  if (!(await payments.keepSubscription(tx, subscription))) return { ...said, outdated: true }
  const { billing_state, tier } = (await payments.bestSubscription(tx, account_id)) ?? subscription
  await credit.setState(tx, account_id, billing_state, now)
  const plan = tier === null ? undefined : await plans.find(tx, tier)
  if (plan !== undefined) await accounts.update(tx, account_id, { tier: plan.tier })
  return { ...said, billing_state, tier: plan?.tier ?? null }
}
