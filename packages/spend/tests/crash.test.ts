import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { calls } from '@svc/db'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { usageOf } from '@svc/models'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CallToAdmit, settleCall, sweepCalls } from '../src/index.ts'
import { type GatewayProcess, startGateway } from './support/gateway-process.ts'
import { callOf, card, expire, makeBudget, makePlace } from './support/place.ts'
import { expectBalanced, windowsOf } from './support/windows.ts'

let database: TestDatabase
const started: GatewayProcess[] = []
beforeAll(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  for (const gateway of started.splice(0)) await gateway.kill()
})
afterAll(() => database.close())

function start(what: string, call: CallToAdmit): GatewayProcess {
  const gateway = startGateway(database.connection_string, what, call)
  started.push(gateway)
  return gateway
}

const rowOf = ({ project_id, call_id }: CallToAdmit) => calls.find(database.db, { project_id, call_id })
const settled = (call: CallToAdmit) =>
  settleCall(
    { db: database.db, now: () => new Date(), newId: () => randomUUID() },
    {
      call_id: call.call_id,
      event: 'finish',
      http_status: 200,
      estimated: false,
      usage: usageOf({ input_tokens: 700, output_tokens: 25 }),
      card,
    },
  )

async function scene() {
  const place = await makePlace(database.db)
  await makeBudget(database.db, place, { level: 'project', period: 'month', cap_micros: 10_000 })
  return {
    place,
    call: callOf(place),
    window: async () => (await windowsOf(database.db, place.account_id))[0],
  }
}

async function killAt(step: string) {
  const { call, window } = await scene()
  const gateway = start(step, call)
  await gateway.said(step)
  await gateway.kill()
  return { call, window }
}

/** Sweeps it once its lease is over. */
async function sweepLater(call: CallToAdmit): Promise<number> {
  await expire(database.db, call.call_id)
  return sweepCalls(database)
}

describe('a gateway that is killed', () => {
  test('before its admission commits leaves nothing', async () => {
    const { call, window } = await killAt('admitting')
    expect(await rowOf(call)).toBeUndefined()
    expect((await window())?.held_micros ?? 0).toBe(0)
    expect(await sweepLater(call)).toBe(0)
  })

  test('after its admission is charged the estimate of the input, never nothing', async () => {
    const { call, window } = await killAt('admitted')
    expect(await window()).toMatchObject({ spent_micros: 0, held_micros: 2_000 })
    expect(await sweepLater(call)).toBe(1)
    expect(await window()).toMatchObject({ spent_micros: 300, held_micros: 0 })
    expect(await rowOf(call)).toMatchObject({ status: 'lost', estimated: true, cost_micros: 300 })
  })

  test('while it streams is charged what its last beat said', async () => {
    const { call, window } = await killAt('streaming')
    expect(await sweepLater(call)).toBe(1)
    expect(await window()).toMatchObject({ spent_micros: 800, held_micros: 0 })
    expect(await rowOf(call)).toMatchObject({ status: 'lost', input_tokens: 800 })
  })

  test('after the last byte is charged the same, and a settle that still arrives lowers it', async () => {
    const { call, window } = await killAt('ended')
    expect(await sweepLater(call)).toBe(1)
    expect(await settled(call)).toEqual({ outcome: 'lost', lowered: true })
    expect(await settled(call)).toEqual({ outcome: 'lost', lowered: false })
    expect(await window()).toMatchObject({ spent_micros: 750, held_micros: 0 })
  })

  test('in its settle has settled nothing, and the next one does', async () => {
    const { call, window } = await killAt('settling')
    expect(await rowOf(call)).toMatchObject({ status: 'streaming' })
    expect(await settled(call)).toMatchObject({ outcome: 'settled', charged_micros: 750 })
    expect(await window()).toMatchObject({ spent_micros: 750, held_micros: 0 })
    expect(await settled(call)).toEqual({ outcome: 'ended', status: 'settled' })
  })
})

test('a gateway that stood still and goes on finds its call swept, and cuts it', async () => {
  const { call, window } = await scene()
  const gateway = start('fenced', call)
  await gateway.said('streaming')
  gateway.process.kill('SIGSTOP')
  expect(await sweepLater(call)).toBe(1)
  const swept = await window()
  gateway.process.kill('SIGCONT')
  await gateway.said('fenced')
  expect(await window()).toEqual(swept)
  expect(await rowOf(call)).toMatchObject({ status: 'lost', expires_at: null })
})

test('of three gateways at the edge of a budget, two are killed: it is never over, and nothing stays held', async () => {
  const place = await makePlace(database.db)
  const cap_micros = 1_000_000
  const budget_id = await makeBudget(database.db, place, { level: 'project', period: 'month', cap_micros })
  await sql`insert into gateway_budget_windows (budget_id, subject, window_start, resets_at, lock_order, spent_micros)
    values (${budget_id}, ${place.project_id}, gateway_window_start('month', now()), gateway_window_end('month', now()), 2,
      ${cap_micros * 0.9})`.execute(database.db)
  const [one, two, three] = [1, 2, 3].map(() => start('streams', callOf(place)))
  for (const gateway of [one, two, three]) await gateway?.said('streaming')
  const read = async () => (await windowsOf(database.db, place.account_id))[0]
  let most = 0
  const watch = async (until: number) => {
    for (;;) {
      const { spent_micros = 0, held_micros = 0 } = (await read()) ?? {}
      most = Math.max(most, spent_micros + held_micros)
      expect(spent_micros + held_micros).toBeLessThanOrEqual(cap_micros)
      if (spent_micros >= until) return
      await sleep(5)
    }
  }
  await watch(cap_micros * 0.95)
  await Promise.all([one?.kill(), two?.kill()])
  await watch(cap_micros * 0.985)
  await three?.kill()
  expect(most).toBeGreaterThan(cap_micros * 0.97)
  // The leases that the killed ones left end by themselves.
  await expect
    .poll(async () => (await sweepCalls(database), (await read())?.held_micros), { interval: 500 })
    .toBe(0)
  await expectBalanced(database.db)
  const { rows } = await sql<{ sum: number; lost: number; recomputed: number }>`
    select sum(cost_micros)::bigint as sum, count(*) filter (where status = 'lost')::int as lost,
      sum(input_tokens + 2 * output_tokens)::bigint as recomputed
    from gateway_calls where project_id = ${place.project_id} and status <> 'refused'`.execute(database.db)
  const spent = (await read())?.spent_micros ?? 0
  expect(rows).toEqual([
    { sum: spent - cap_micros * 0.9, lost: expect.any(Number), recomputed: rows[0]?.sum },
  ])
  expect(rows[0]?.lost).toBeGreaterThan(0)
  const small = { bounds: { card, input_bound: 100, output_limit: 16, n: 1 } }
  await sql`update gateway_budgets set cap_micros = cap_micros + 1000`.execute(database.db)
  const last = start('admitted', callOf(place, small))
  await last.said('admitted')
})
