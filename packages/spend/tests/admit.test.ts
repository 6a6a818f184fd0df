import { randomUUID } from 'node:crypto'
import { calls } from '@svc/db'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { usageOf } from '@svc/models'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleCall, sweepCalls } from '../src/index.ts'
import { callsOf } from './support/calls-of.ts'
import { callOf, card, expire, freeCard, makeBudget, makePlace } from './support/place.ts'
import { windowsOf } from './support/windows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const { admit, settle, refusal, rowOf, ctx } = callsOf(() => database.db)

test('a call holds what it may cost in every window, and is charged what it cost', async () => {
  const place = await makePlace(database.db)
  await makeBudget(database.db, place, { level: 'project', period: 'day', cap_micros: 10_000 })
  await makeBudget(database.db, place, {
    level: 'account',
    of: 'account',
    period: 'month',
    cap_micros: 20_000,
  })
  const call = callOf(place)
  expect(await admit(call)).toMatchObject({ outcome: 'granted', granted_micros: 2_000, bounded: true })
  const held = { spent_micros: 0, held_micros: 2_000 }
  expect(await windowsOf(database.db, place.account_id)).toMatchObject([held, held])
  expect(await settle(call.call_id, 700, 100)).toMatchObject({ outcome: 'settled', charged_micros: 900 })
  const spent = { spent_micros: 900, held_micros: 0 }
  expect(await windowsOf(database.db, place.account_id)).toMatchObject([spent, spent])
  expect(await rowOf(call)).toMatchObject({
    status: 'settled',
    cost_micros: 900,
    input_tokens: 700,
    expires_at: null,
  })
  expect(await settle(call.call_id, 1)).toEqual({ outcome: 'ended', status: 'settled' })
})

test('what is left is granted where it is worth a start, else the tightest budget is named', async () => {
  const place = await makePlace(database.db)
  await makeBudget(database.db, place, { level: 'project', cap_micros: 9_000 })
  const budget_id = await makeBudget(database.db, place, {
    level: 'agent',
    period: 'week',
    cap_micros: 3_200,
  })
  const call = callOf(place, { agent_name: 'fixer' })
  expect(await admit(call)).toMatchObject({ granted_micros: 2_000 })
  const second = callOf(place, { agent_name: 'fixer' })
  expect(await admit(second)).toMatchObject({ granted_micros: 1_200 })
  const third = callOf(place, { agent_name: 'fixer' })
  expect(await refusal(third)).toMatchObject({
    code: 'budget_exceeded',
    budget: { budget_id, name: 'agent', level: 'agent', subject: null, period: 'week' },
    cap_micros: 3_200,
    spent_micros: 0,
    held_micros: 3_200,
    resets_at: expect.stringContaining('T00:00:00'),
    retry_after: expect.any(Number),
    message: expect.stringContaining('held by running calls, which alone stand between'),
  })
  expect(await rowOf(third)).toMatchObject({ status: 'refused', code: 'budget_exceeded', hold_micros: 0 })
  await settle(call.call_id, 1_000, 500)
  await settle(second.call_id, 1_000, 100)
  expect(await refusal(callOf(place, { agent_name: 'fixer' }))).not.toHaveProperty('retry_after')
  expect(await admit(callOf(place, { agent_name: 'another' }))).toMatchObject({ outcome: 'granted' })
})

test('a budget with a cap of zero closes, and one for each call bounds each by itself', async () => {
  const place = await makePlace(database.db)
  await makeBudget(database.db, place, { level: 'call', period: 'call', cap_micros: 1_500 })
  for (let n = 0; n < 3; n += 1) expect(await admit(callOf(place))).toMatchObject({ granted_micros: 1_500 })
  await makeBudget(database.db, place, { level: 'trigger', subject: 'nightly', cap_micros: 0 })
  expect(await refusal(callOf(place, { trigger_slug: 'nightly' }))).toMatchObject({
    code: 'budget_exceeded',
    budget: { level: 'trigger', subject: 'nightly' },
    resets_at: null,
  })
  expect(await admit(callOf(place, { trigger_slug: 'hourly' }))).toMatchObject({ outcome: 'granted' })
})

test('a budget that alerts refuses nothing and is charged all of it', async () => {
  const place = await makePlace(database.db)
  await makeBudget(database.db, place, { level: 'project', cap_micros: 1_000, mode: 'alert' })
  const call = callOf(place)
  expect(await admit(call)).toMatchObject({ granted_micros: 2_000, bounded: false })
  expect(await settle(call.call_id, 2_500)).toMatchObject({ charged_micros: 2_500, overrun_micros: 0 })
})

test('thresholds are crossed once a window', async () => {
  const place = await makePlace(database.db)
  await makeBudget(database.db, place, { level: 'project', cap_micros: 4_000 })
  const crossed = []
  const bounds = { card, input_bound: 10, output_limit: 5_000, n: 1 }
  for (const tokens of [1_999, 1, 1_100, 900]) {
    const call = callOf(place, { bounds })
    await admit(call)
    const settled = await settle(call.call_id, tokens)
    crossed.push(settled.outcome === 'settled' ? settled.alerts.map(({ threshold }) => threshold) : settled)
  }
  expect(crossed).toEqual([[], [50], [], [80, 90, 100]])
})

test('what costs above its hold is charged as far as the hold, and the rest is told', async () => {
  const place = await makePlace(database.db)
  await makeBudget(database.db, place, { level: 'project', cap_micros: 2_000 })
  const call = callOf(place)
  await admit(call)
  expect(await settle(call.call_id, 1_000, 2_000)).toMatchObject({
    charged_micros: 2_000,
    overrun_micros: 3_000,
  })
  expect(await windowsOf(database.db, place.account_id)).toMatchObject([
    { spent_micros: 2_000, held_micros: 0 },
  ])
})

test('a free model passes every budget and plan; one without a price, and a field without a bound, do not', async () => {
  const place = await makePlace(database.db, 'free')
  const bounds = { card: freeCard, input_bound: 10, output_limit: 10, n: 1 }
  await makeBudget(database.db, place, { level: 'project', cap_micros: 0, period: 'day' })
  const free = { bounds, provider_scope: 'operator', unbounded: 'tools[0]' } as const
  expect(await admit(callOf(place, free))).toMatchObject({
    outcome: 'granted',
    granted_micros: 0,
    bounded: false,
  })
  expect(await refusal(callOf(place, { bounds: null }))).toMatchObject({
    code: 'model_unpriced',
    message: expect.stringMatching(/svc gateway prices set acme\/one .*\/gateway\/prices/),
  })
  expect(await refusal(callOf(place, { unbounded: 'tools[0].max_uses' }))).toMatchObject({
    code: 'cost_not_bounded',
    field: 'tools[0].max_uses',
  })
  const open = await makePlace(database.db)
  const unpriced = callOf(open, { bounds: null, unbounded: 'background' })
  expect(await admit(unpriced)).toMatchObject({ outcome: 'granted', granted_micros: 0 })
  await settleCall(ctx(), {
    call_id: unpriced.call_id,
    event: 'finish',
    http_status: 200,
    estimated: false,
    usage: usageOf({ input_tokens: 5 }),
    card: null,
  })
  expect(await rowOf(unpriced)).toMatchObject({ cost_micros: null, input_tokens: 5, price_id: null })
})

test('an expired call makes no phantom refusal: it is charged what its last beat said', async () => {
  const place = await makePlace(database.db)
  const session_id = randomUUID()
  await makeBudget(database.db, place, { level: 'session', cap_micros: 2_400 })
  const dead = callOf(place, { session_id })
  await admit(dead)
  await expire(database.db, dead.call_id)
  const next = callOf(place, { session_id })
  expect(await admit(next)).toMatchObject({ granted_micros: 2_000 })
  expect(await rowOf(dead)).toMatchObject({
    status: 'lost',
    cost_micros: 300,
    estimated: true,
    input_tokens: 300,
  })
  expect(await settle(dead.call_id, 5_000)).toEqual({ outcome: 'lost', lowered: false })
  expect(await settle(dead.call_id, 100)).toEqual({ outcome: 'lost', lowered: true })
  expect(await rowOf(dead)).toMatchObject({ status: 'lost', cost_micros: 100, input_tokens: 100 })
  expect(await windowsOf(database.db, place.account_id)).toMatchObject([
    { spent_micros: 100, held_micros: 2_000 },
  ])
  await expire(database.db, next.call_id)
  expect(await sweepCalls(ctx())).toBe(1)
  expect(await windowsOf(database.db, place.account_id)).toMatchObject([
    { spent_micros: 400, held_micros: 0 },
  ])
})

test('a beat says what a call is charged, and finds one that expired no more', async () => {
  const place = await makePlace(database.db)
  await makeBudget(database.db, place, { level: 'key', cap_micros: 5_000 })
  const [live, dead] = [callOf(place), callOf(place)]
  await admit(live)
  await admit(dead)
  await expire(database.db, dead.call_id)
  const said = { first_byte_ms: 12, input_tokens: 900, output_tokens: 50, lost_micros: 1_000 }
  const beats = [live, dead].map(({ call_id }) => ({ call_id, ...said }))
  expect(await calls.renew(database.db, beats, 15_000)).toEqual([live.call_id])
  expect(await rowOf(live)).toMatchObject({ status: 'streaming', first_byte_ms: 12, output_tokens: 50 })
  await expire(database.db, live.call_id)
  await sweepCalls(ctx())
  expect(await rowOf(live)).toMatchObject({ status: 'lost', cost_micros: 1_000 })
  expect(await rowOf(dead)).toMatchObject({ status: 'lost', cost_micros: 300 })
})

test('the limits of a key are counted with the admission', async () => {
  const place = await makePlace(database.db)
  const limited = async (
    column: 'requests_per_minute' | 'tokens_per_minute' | 'concurrency',
    limit: number,
  ) => {
    const token_id = randomUUID()
    await sql`insert into tokens (token_id, kind, token_hash, display_prefix, name, user_id, project_id, created_at)
      values (${token_id}, 'gateway', sha256(${token_id}::bytea), 'svc_gw_x', 'x', ${place.user_id}, ${place.project_id},
        now())`.execute(database.db)
    await sql`insert into gateway_key_limits (token_id, ${sql.ref(column)}) values (${token_id}, ${limit})`.execute(
      database.db,
    )
    return token_id
  }
  const requests = { token_id: await limited('requests_per_minute', 2) }
  const racing = await Promise.all([1, 2, 3, 4, 5].map(() => admit(callOf(place, requests))))
  expect(racing.filter(({ outcome }) => outcome === 'granted')).toHaveLength(2)
  expect(await refusal(callOf(place, requests))).toMatchObject({
    code: 'rate_limit_exceeded',
    limited: 'requests_per_minute',
    rate_limit: { limit: 2, remaining: 0 },
  })
  const tokens = { token_id: await limited('tokens_per_minute', 300) }
  expect(await admit(callOf(place, tokens))).toMatchObject({ outcome: 'granted' })
  expect(await refusal(callOf(place, tokens))).toMatchObject({ limited: 'tokens_per_minute' })
  const concurrency = { token_id: await limited('concurrency', 1) }
  const first = callOf(place, concurrency)
  await admit(first)
  expect(await refusal(callOf(place, concurrency))).toMatchObject({ limited: 'concurrency' })
  await settle(first.call_id, 1)
  expect(await admit(callOf(place, concurrency))).toMatchObject({ outcome: 'granted' })
})

test('a call without a price card in its row cannot be made, and a card never changes', async () => {
  const { rows } = await sql<{ missing: number }>`select count(*)::int as missing from gateway_calls c
    where price_id is not null and not exists (select from gateway_price_cards p where p.price_id = c.price_id)`.execute(
    database.db,
  )
  expect(rows).toEqual([{ missing: 0 }])
  await expect(sql`update gateway_price_cards set card = '{}'`.execute(database.db)).rejects.toThrow(
    'never changes',
  )
})
