import { randomUUID } from 'node:crypto'
import { calls } from '@svc/db'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { costMicros, type PriceCard, type Usage, usageOf } from '@svc/models'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admitCall, type CallToAdmit, settleCall, sweepCalls } from '../src/index.ts'
import { addProject, callOf, creditOf, expire, makeBudget, makePlace, type Place } from './support/place.ts'
import { expectBalanced, windowsOf } from './support/windows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** `SVC_LONG_TESTS=1` for the long form. */
const callCount = process.env['SVC_LONG_TESTS'] ? 10_000 : 3_000
const roundLength = 500
const lanes = 12

const cards: readonly PriceCard[] = [
  { input: 3_000_000, output: 15_000_000, cache_read: 300_000 },
  { input: 1, output: 7, request: 3 },
  { input: 0, output: 0 },
]

/** A call, and what becomes of it; the numbers choose among what the test has made. */
const anyCall = fc.record({
  project: fc.nat(1),
  session: fc.option(fc.nat(2)),
  agent: fc.option(fc.nat(1)),
  trigger: fc.option(fc.constant(0), { freq: 2 }),
  key: fc.nat(2),
  card: fc.option(fc.nat(cards.length - 1), { freq: 12 }),
  input_bound: fc.integer({ min: 1, max: 3_000 }),
  output_limit: fc.integer({ min: 1, max: 2_000 }),
  managed: fc.boolean(),
  beats: fc.nat(1),
  end: fc.constantFrom('finish', 'finish', 'finish', 'fail', 'cut', 'die', 'late'),
  input_tokens: fc.nat(4_000),
  output_tokens: fc.nat(2_500),
})
type AnyCall = typeof anyCall extends fc.Arbitrary<infer One> ? One : never

/** The charges that the model expects: of which call, and how much. */
const charged = new Map<string, { readonly call: CallToAdmit; readonly micros: number }>()

function charge(call: CallToAdmit, usage: Usage, granted: number, bounded: boolean): void {
  if (call.bounds === null) return
  const cost = Number(costMicros(usage, call.bounds.card))
  charged.set(call.call_id, { call, micros: bounded ? Math.min(cost, granted) : cost })
}

async function run(call: CallToAdmit, { beats, end, ...one }: AnyCall): Promise<void> {
  const ctx = { db: database.db, now: () => new Date(), newId: () => randomUUID() }
  const admitted = await admitCall(ctx, call)
  if (admitted.outcome === 'refused') return
  const { granted_micros, bounded } = admitted
  const card = call.bounds?.card ?? null
  let lost = usageOf({ input_tokens: call.input_estimate })
  for (let n = 0; n < beats; n += 1) {
    lost = usageOf({ input_tokens: one.input_tokens, output_tokens: n })
    const lost_micros = card && Number(costMicros(lost, card))
    const beat = { call_id: call.call_id, first_byte_ms: 1, ...lost, lost_micros }
    const renewed = await calls.renew(database.db, [beat], 15_000)
    expect(renewed).toEqual([call.call_id])
  }
  const usage = end === 'fail' ? usageOf({}) : usageOf(one)
  const settlement = { call_id: call.call_id, http_status: 200, estimated: false, usage, card }
  if (end === 'die' || end === 'late') {
    charge(call, lost, granted_micros, bounded)
    await expire(database.db, call.call_id)
    if (end === 'die') return
    await sweepCalls(ctx)
    const before = charged.get(call.call_id)?.micros ?? 0
    await settleCall(ctx, { ...settlement, event: 'finish' })
    const late = card === null ? 0 : Number(costMicros(usage, card))
    if (late < before) charged.set(call.call_id, { call, micros: late })
    return
  }
  charge(call, usage, granted_micros, bounded)
  const event = end
  await Promise.all([settleCall(ctx, { ...settlement, event }), settleCall(ctx, { ...settlement, event })])
}

/** The sum of what was charged to calls that a budget counts. */
function spentOf(place: Place, level: string, of: 'project' | 'account', subject: string): number {
  let sum = 0
  for (const { call, micros } of charged.values()) {
    if (of === 'project' && call.project_id !== place.project_id) continue
    const subjects: Record<string, string | null> = {
      account: call.account_id,
      project: call.project_id,
      agent: call.agent_name,
      trigger: call.trigger_slug,
      session: call.session_id,
      key: call.token_id,
    }
    if (subjects[level] === subject) sum += micros
  }
  return sum
}

test('of thousands of random calls, spent is the sum of costs and held is the sum of live holds', async () => {
  const { db } = database
  const place = await makePlace(db, 'team')
  const project_ids = [place.project_id, await addProject(db, place)]
  await creditOf(db, place, 40_000_000)
  await sql`update plans set markup_percent = 7 where tier = 'team'`.execute(db)
  const budgets = new Map<string, { readonly level: string; readonly of: 'project' | 'account' }>()
  for (const [level, cap_micros, of] of [
    ['account', 90_000_000, 'account'],
    ['project', 60_000_000, 'account'],
    ['project', 30_000_000, 'project'],
    ['agent', 9_000_000, 'project'],
    ['trigger', 5_000_000, 'project'],
    ['session', 8_000_000, 'project'],
    ['key', 20_000_000, 'project'],
  ] as const)
    budgets.set(await makeBudget(db, place, { level, cap_micros, of }), { level, of })
  await makeBudget(db, place, { level: 'call', period: 'call', cap_micros: 30_000 })
  const [sessions, keys] = [[1, 2, 3].map(() => randomUUID()), [1, 2, 3].map(() => randomUUID())]
  const seed = 20261125
  const all = fc.sample(anyCall, { numRuns: callCount, seed })
  for (let from = 0; from < all.length; from += roundLength) {
    const round = all.slice(from, from + roundLength).values()
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (const one of round) {
          const card = one.card === null ? null : cards[one.card]
          const { input_bound, output_limit } = one
          const call = callOf(place, {
            project_id: project_ids[one.project] ?? place.project_id,
            session_id: one.session === null ? null : (sessions[one.session] ?? null),
            agent_name: one.agent === null ? null : `agent-${one.agent}`,
            trigger_slug: one.trigger === null ? null : 'nightly',
            token_id: keys[one.key] ?? randomUUID(),
            provider_scope: one.managed ? 'operator' : 'project',
            bounds: card == null ? null : { card, input_bound, output_limit, n: 1 },
            input_estimate: Math.ceil(input_bound / 4),
          })
          await run(call, one)
        }
      }),
    )
    await sweepCalls({ db })
    await expectBalanced(db)
    const windows = await windowsOf(db, place.account_id)
    const expected = windows.map((window) => {
      const { level, of } = budgets.get(window.budget_id) ?? { level: '', of: 'project' as const }
      return { ...window, held_micros: 0, spent_micros: spentOf(place, level, of, window.subject) }
    })
    expect(windows).toEqual(expected)
  }
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int from gateway_calls group by status`.execute(db)
  const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(callCount)
  for (const status of ['refused', 'settled', 'failed', 'cut', 'lost'])
    expect(counts[status]).toBeGreaterThan(50)
  await expectRecomputed()
})

/** Each row gives its cost again, of its tokens and its card alone. */
async function expectRecomputed(): Promise<void> {
  const { rows } = await sql<Usage & { cost: number; card: PriceCard }>`
    select c.*, c.cost_micros + c.overrun_micros as cost, p.card from gateway_calls c
      join gateway_price_cards p using (price_id)
    where c.status <> 'refused'`.execute(database.db)
  expect(rows.length).toBeGreaterThan(1_000)
  for (const { cost, card, ...usage } of rows) expect(cost).toBe(Number(costMicros(usage, card)))
}
