import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'
import { callsOn } from './calls.ts'

const { ask, newProject, account_id, platform } = await openWorld()
const { db } = platform.parts
const calls = callsOn(db)
const billed = { provider_scope: 'operator' } as const
const operated = `/v1/admin/accounts/${account_id}`
const add = (amount_micros: number, more: object = {}) =>
  ask('POST', `${operated}/credit`, { amount_micros, reason: 'Order', ...more })
const refusal = async (project_id: string) => {
  const answer = await calls.admit({ account_id, project_id }, billed)
  return answer.outcome === 'granted' ? null : { code: answer.error.code, ...answer.error.details }
}

test('plans are made, changed, given to an account, and go', async () => {
  const built_in = Object((await ask('GET', '/v1/admin/plans')).body).plans
  expect(built_in.map(({ tier }: { tier: string }) => tier).toSorted()).toEqual([
    'enterprise',
    'free',
    'self_host',
    'team',
  ])
  const row = {
    ...{ entitlements: ['rbac'], session_cap: 7, gateway: 'own_keys', billing: 'none' },
    ...{ monthly_credit_micros: 0, markup_percent: 0 },
  }
  expect(await ask('PUT', '/v1/admin/plans/small', row)).toMatchObject({
    status: 200,
    body: { tier: 'small', ...row },
  })
  const changed = { ...row, session_cap: 8 }
  expect(await ask('PUT', '/v1/admin/plans/small', changed)).toMatchObject({ body: changed })
  expect(await ask('PATCH', operated, { tier: 'small' })).toMatchObject({
    status: 200,
    body: { tier: 'small', plan: { tier: 'small', ...changed }, billing_state: 'none', balance: null },
  })
  expect(await ask('GET', `/v1/accounts/${account_id}/billing`)).toMatchObject({
    body: { account_id, tier: 'small', session_cap: 8, billing_state: 'none', balance: null, held: null },
  })
  expect(await ask('DELETE', '/v1/admin/plans/small')).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  expect(await ask('DELETE', '/v1/admin/plans/free')).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  expect(await ask('PATCH', operated, { tier: 'none_such' })).toMatchObject({ status: 400 })
  expect((await ask('PATCH', operated, { tier: 'self_host' })).status).toBe(200)
  expect((await ask('DELETE', '/v1/admin/plans/small')).status).toBe(204)
  expect((await ask('DELETE', '/v1/admin/plans/small')).status).toBe(404)
  for (const wrong of [
    { session_cap: 0 },
    { markup_percent: 1001 },
    { gateway: 'some' },
    { entitlements: ['x'] },
  ])
    expect((await ask('PUT', '/v1/admin/plans/small', { ...row, ...wrong })).status).toBe(400)
  for (const name of ['Small', '1st', 'a'.repeat(33)])
    expect((await ask('PUT', `/v1/admin/plans/${name}`, row)).status).toBe(400)
  const { events } = Object((await ask('GET', '/v1/admin/audit')).body)
  expect(events.map(({ action }: { action: string }) => action)).toContain('putPlan')
})

test('what the service bills is refused in the order of plan, credit and balance, and paid by the credit', async () => {
  const project_id = await newProject()
  await ask('PATCH', operated, { tier: 'free' })
  const known = { billing_state: 'none', balance: null, account_id }
  expect(await refusal(project_id)).toEqual({ code: 'subscription_required', ...known })
  await ask('PATCH', operated, { tier: 'team' })
  expect(await refusal(project_id)).toEqual({ code: 'no_account', ...known })
  expect(await ask('PATCH', operated, { billing_state: 'past_due' })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })

  const first = await add(10_000, { idempotency_key: 'order-1' })
  expect(first).toMatchObject({
    status: 201,
    body: {
      ...{ account_id, kind: 'grant', amount_micros: 10_000, balance_after_micros: 10_000 },
      ...{ reason: 'Order', idempotency_key: 'order-1', call_id: null },
    },
  })
  expect(await add(10_000, { idempotency_key: 'order-1' })).toMatchObject({ status: 200, body: first.body })
  expect(await add(20_000, { idempotency_key: 'order-1' })).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_KEY_CONFLICT' },
  })
  expect(await add(0)).toMatchObject({ status: 400 })
  expect(await ask('GET', operated)).toMatchObject({ body: { billing_state: 'active', balance: 10_000 } })

  await calls.spend({ account_id, project_id }, 1_000, billed)
  await calls.spend({ account_id, project_id }, 500, billed)
  expect(await ask('GET', operated)).toMatchObject({ body: { balance: 8_500, month_cost_micros: 1_500 } })
  const running = await calls.admit({ account_id, project_id }, billed)
  expect(running.outcome).toBe('granted')
  expect(await ask('GET', `/v1/accounts/${account_id}/billing`)).toMatchObject({
    body: { balance: 8_500, held: 2_000, billing: 'credit', gateway: 'managed' },
  })

  for (const billing_state of ['past_due', 'canceled'] as const) {
    expect(await ask('PATCH', operated, { billing_state })).toMatchObject({
      status: 200,
      body: { billing_state },
    })
    expect(await refusal(project_id)).toEqual({
      ...{ code: 'insufficient_credits', billing_state, balance: 8_500, account_id },
    })
  }
  expect((await ask('PATCH', operated, { billing_state: 'exhausted' })).status).toBe(400)
  await ask('PATCH', operated, { billing_state: 'active' })
  expect(await add(-8_000)).toMatchObject({
    status: 201,
    body: { kind: 'adjustment', balance_after_micros: 500 },
  })
  expect(await refusal(project_id)).toMatchObject({
    code: 'insufficient_credits',
    billing_state: 'active',
    balance: 500,
  })
  expect((await add(-500)).status).toBe(201)
  expect(await refusal(project_id)).toMatchObject({
    code: 'insufficient_credits',
    billing_state: 'exhausted',
  })
  expect(await ask('PATCH', operated, { billing_state: 'active' })).toMatchObject({
    body: { billing_state: 'exhausted' },
  })
  expect((await add(50_000)).status).toBe(201)
  expect(await refusal(project_id)).toBe(null)
})

test('the ledger is read page by page, and its sum is the balance', async () => {
  const path = `/v1/accounts/${account_id}/billing/ledger?limit=2`
  const amounts: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { entries: { amount_micros: number }[]; next_cursor: string | null } = Object(
      (await ask('GET', `${path}${cursor && `&cursor=${cursor}`}`)).body,
    )
    amounts.push(...page.entries.map(({ amount_micros }) => amount_micros))
    cursor = page.next_cursor
  }
  expect(amounts).toEqual([50_000, -500, -8_000, -1_500, 10_000])
  const { balance } = Object((await ask('GET', `/v1/accounts/${account_id}/billing`)).body)
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(balance)
})

test('the operator’s key of an entry is no other’s', async () => {
  const month = new Date().toISOString().slice(0, 7)
  await add(1_000, { idempotency_key: `monthly:${month}` })
  const team = { entitlements: [], session_cap: 25, gateway: 'managed', billing: 'credit', markup_percent: 0 }
  await ask('PUT', '/v1/admin/plans/team', { ...team, monthly_credit_micros: 7_000 })
  const project_id = await newProject()
  expect(await refusal(project_id)).toBe(null)
  const { entries } = Object((await ask('GET', `/v1/accounts/${account_id}/billing/ledger?limit=2`)).body)
  expect(entries).toMatchObject([
    { kind: 'grant', amount_micros: 7_000, reason: 'Monthly credit' },
    { kind: 'grant', amount_micros: 1_000, idempotency_key: `monthly:${month}` },
  ])
})

test('credit that many add at once with one key is added once', async () => {
  const sumOf = async () => {
    const { rows } = await sql<{ sum: string; balance: string }>`
      select sum(l.amount_micros)::text as sum, min(a.balance_micros)::text as balance
      from credit_ledger l join credit_accounts a using (account_id) where account_id = ${account_id}`.execute(
      db,
    )
    return rows[0]
  }
  const before = Number((await sumOf())?.sum)
  const answers = await Promise.all(Array.from({ length: 8 }, () => add(11, { idempotency_key: 'race' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 7 }, () => 200),
    201,
  ])
  const after = await sumOf()
  expect(Number(after?.sum)).toBe(before + 11)
  expect(after?.balance).toBe(after?.sum)
})
