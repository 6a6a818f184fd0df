import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { serve } from '../support/serve.ts'
import { openWorld } from '../support/world.ts'

const secret = 'whsec_test'
const { ask, account_id, api, platform } = await openWorld({ stripe_webhook_secret: secret })
const path = '/v1/webhooks/billing/stripe'
const seconds = () => Math.floor(platform.parts.now().getTime() / 1000)

/** As Stripe's documents say: HMAC-SHA256 over the time, a dot and the body. */
function signed(body: string, { time = seconds(), key = secret } = {}): string {
  const v1 = createHmac('sha256', key).update(`${time}.${body}`).digest('hex')
  return `t=${time},v1=${v1},v0=${'0'.repeat(64)}`
}

async function tell(event: object, signature?: string) {
  const body = JSON.stringify(event)
  const answer = await fetch(`${api.origin}${path}`, {
    method: 'POST',
    headers: { 'stripe-signature': signature ?? signed(body), 'content-type': 'application/json' },
    body,
  })
  return { status: answer.status, body: await answer.json() }
}

let told = 0
/** Each event is a second younger than the one before it, unless it says another age. */
const event = (type: string, object: object, created = seconds() - 1_000 + (told += 1)) => ({
  ...{ id: `evt_${randomUUID()}`, type, created, data: { object } },
})
const checkout = (more: object = {}) =>
  event('checkout.session.completed', {
    ...{ client_reference_id: account_id, customer: 'cus_1', payment_status: 'paid' },
    ...{ amount_total: 2_500, currency: 'usd' },
    ...more,
  })
const subscription = (type: string, status: string, svc_tier?: string, customer = 'cus_1') =>
  event(`customer.subscription.${type}`, about({ status, svc_tier, customer }))
const about = ({
  id = 'sub_1',
  customer = 'cus_1',
  status = 'active',
  svc_tier = 'team' as string | undefined,
}) => ({
  ...{ id, customer, status },
  items: { data: [{ price: { metadata: { svc_tier } } }] },
})
const billing = async () => Object((await ask('GET', `/v1/accounts/${account_id}/billing`)).body)
const applied = (value: boolean) => ({ status: 200, body: { received: true, applied: value } })

test('a subscription of a customer that nobody knows changes nothing', async () => {
  expect(await tell(subscription('created', 'active', 'team'))).toEqual(applied(false))
  expect(await billing()).toMatchObject({ tier: 'self_host', billing_state: 'none' })
})

test('a paid checkout is a purchase, once', async () => {
  const paid = checkout()
  const answers = await Promise.all([tell(paid), tell(paid), tell(paid)])
  expect(answers.map(({ body }) => Object(body).applied).toSorted()).toEqual([false, false, true])
  expect(await tell(paid)).toEqual(applied(false))
  expect(await billing()).toMatchObject({ balance: 25_000_000, billing_state: 'active' })
  const { entries } = Object((await ask('GET', `/v1/accounts/${account_id}/billing/ledger`)).body)
  expect(entries).toMatchObject([{ kind: 'purchase', amount_micros: 25_000_000, reason: 'Paid by stripe' }])
})

test('what is not paid, not in dollars, or of no account here buys nothing', async () => {
  for (const more of [
    { payment_status: 'unpaid' },
    { currency: 'eur' },
    { client_reference_id: randomUUID(), customer: null },
    { client_reference_id: 'shop' },
  ])
    expect(await tell(checkout(more))).toEqual(applied(false))
  expect(await tell(event('invoice.created', {}))).toEqual(applied(false))
  expect(await billing()).toMatchObject({ balance: 25_000_000 })
})

test('a subscription sets plan and billing state, and its end cancels', async () => {
  expect(await tell(subscription('created', 'active', 'team'))).toEqual(applied(true))
  expect(await billing()).toMatchObject({ tier: 'team', billing_state: 'active' })
  await tell(subscription('updated', 'past_due', 'team'))
  expect(await billing()).toMatchObject({ tier: 'team', billing_state: 'past_due' })
  await tell(subscription('updated', 'active', 'no_such_plan'))
  expect(await billing()).toMatchObject({ tier: 'team', billing_state: 'active' })
  await tell(subscription('deleted', 'canceled', 'team'))
  expect(await billing()).toMatchObject({ tier: 'team', billing_state: 'canceled', balance: 25_000_000 })
  const { events } = Object((await ask('GET', `/v1/accounts/${account_id}/audit?action=receivePayment`)).body)
  expect(events[0]).toMatchObject({
    actor: { type: 'system', id: 'stripe' },
    details: { billing_state: 'canceled' },
  })
})

describe('events that come in another order than they were made', () => {
  const at = seconds()
  const now = (object: object, created: number, type = 'updated') =>
    tell(event(`customer.subscription.${type}`, object, created))

  test('never bring back what an older one said', async () => {
    const one = (status: string, svc_tier = 'team') => about({ id: 'sub_2', status, svc_tier })
    await now(one('active'), at)
    expect(await now(one('past_due', 'free'), at - 60)).toEqual(applied(true))
    expect(await billing()).toMatchObject({ tier: 'team', billing_state: 'active' })
    await now(one('canceled'), at + 60, 'deleted')
    await now(one('active', 'enterprise'), at + 30)
    expect(await billing()).toMatchObject({ tier: 'team', billing_state: 'canceled' })
  })

  test('end where the end and a change were made in one second', async () => {
    const one = (status: string) => about({ id: 'sub_3', status })
    await now(one('canceled'), at, 'deleted')
    await now(one('active'), at)
    expect(await billing()).toMatchObject({ billing_state: 'canceled' })
  })

  test('do not end what another subscription pays', async () => {
    await now(about({ id: 'sub_4', svc_tier: 'enterprise' }), at + 90)
    await now(about({ id: 'sub_2', status: 'canceled' }), at + 120, 'deleted')
    expect(await billing()).toMatchObject({ tier: 'enterprise', billing_state: 'active' })
  })
})

test('a signature that is wrong, of another body, old or of the future is refused', async () => {
  const paid = checkout()
  const body = JSON.stringify(paid)
  for (const signature of [
    '',
    't=1',
    'v1=00',
    signed(body, { key: 'another' }),
    signed(`${body} `),
    signed(body, { time: seconds() - 330 }),
    signed(body, { time: seconds() + 330 }),
    signed(body).replace(/t=\d+/, (time) => `t=${Number(time.slice(2)) - 1}`),
  ])
    expect((await tell(paid, signature)).status).toBe(401)
  expect(await tell(paid, signed(body, { time: seconds() - 290 }))).toEqual(applied(true))
  expect((await tell({ nothing: true })).status).toBe(400)
})

test('there is no such door without the secret, and none for another provider', async () => {
  const closed = await serve({ ...platform, parts: { ...platform.parts, stripe_webhook_secret: undefined } })
  const [none, other] = await Promise.all([
    fetch(`${closed.origin}${path}`, { method: 'POST', body: '{}' }),
    fetch(`${api.origin}/v1/webhooks/billing/other`, { method: 'POST', body: '{}' }),
  ])
  expect([none.status, other.status]).toEqual([404, 404])
  await closed.close()
})
