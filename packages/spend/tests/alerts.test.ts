import { newSession, makeProject, openWorld } from '@svc/services/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { reportBudgetAlerts, sumUpOldCalls } from '../src/index.ts'
import { callsOf } from './support/calls-of.ts'
import { callOf, makeBudget, type Place } from './support/place.ts'

const world = await openWorld()
const { admit, settle, ctx } = callsOf(() => world.db)

async function scene() {
  const project = await makeProject(world)
  const { account_id, project_id, owner } = project
  const { session_id } = await newSession(world, project)
  const place: Place = { account_id, project_id, user_id: owner.user_id }
  const spend = async (tokens: number) => {
    const call = callOf(place, { session_id })
    await admit(call)
    await settle(call.call_id, tokens)
    return call
  }
  return { place, session_id, spend }
}

async function auditOf(place: Place, action: string) {
  const { rows } = await sql<{ details: Record<string, unknown>; session_id: string; actor_type: string }>`
    select details, session_id, actor_type from audit_events where account_id = ${place.account_id} and action = ${action}
    order by seq`.execute(world.db)
  return rows
}

test('a crossed threshold is reported to audit log and session, each once', async () => {
  const { place, session_id, spend } = await scene()
  const budget_id = await makeBudget(world.db, place, { level: 'session', cap_micros: 2_000 })
  await spend(900)
  expect(await reportBudgetAlerts(world.base)).toBe(0)
  await spend(900)
  const both = await Promise.all([reportBudgetAlerts(world.base), reportBudgetAlerts(world.base)])
  expect(both.reduce((sum, one) => sum + one)).toBe(3)
  expect(await reportBudgetAlerts(world.base)).toBe(0)
  const crossed = [50, 80, 90].map((threshold) => ({
    budget_id,
    threshold,
    spent_micros: 1_800,
    cap_micros: 2_000,
  }))
  const { rows: events } = await sql<{ payload: unknown }>`
    select payload from session_events where session_id = ${session_id} and type = 'budget' order by seq`.execute(
    world.db,
  )
  expect(events.map(({ payload }) => payload)).toEqual(crossed)
  expect(await auditOf(place, 'budgetThreshold')).toEqual(
    crossed.map((details) => ({
      actor_type: 'gateway',
      session_id,
      details: expect.objectContaining({ ...details, name: 'session', level: 'session', mode: 'block' }),
    })),
  )
})

test('an overrun leaves an event', async () => {
  const { place, session_id, spend } = await scene()
  await makeBudget(world.db, place, { level: 'project', cap_micros: 100_000 })
  const call = await spend(9_000)
  expect(await auditOf(place, 'modelCallOverrun')).toEqual([
    {
      actor_type: 'gateway',
      session_id,
      details: { call_id: call.call_id, charged_micros: 2_000, overrun_micros: 7_000 },
    },
  ])
})

test('old calls become the sums of their days, and spend stays what it was', async () => {
  const { place, spend } = await scene()
  await makeBudget(world.db, place, { level: 'project', cap_micros: 100_000 })
  const spent = async () => {
    const { rows } = await sql<{ cost: number; calls: number; kept: number }>`
      select sum(cost)::int as cost, sum(calls)::int as calls, sum(kept)::int as kept from (
        select cost_micros as cost, 1 as calls, 1 as kept from gateway_calls where project_id = ${place.project_id}
        union all select cost_micros, calls, 0 from gateway_spend_days where project_id = ${place.project_id}) of_all`.execute(
      world.db,
    )
    return rows[0]
  }
  for (const tokens of [100, 200, 300]) await spend(tokens)
  const live = callOf(place)
  await admit(live)
  await sql`update gateway_calls set at = at - interval '91 days' where call_id <> (select call_id from gateway_calls
    where project_id = ${place.project_id} and not live order by at desc limit 1)
    and project_id = ${place.project_id}`.execute(world.db)
  expect(await sumUpOldCalls(ctx(), 0)).toBe(0)
  expect(await sumUpOldCalls(ctx(), 90)).toBe(2)
  expect(await spent()).toMatchObject({ calls: 4, kept: 2, cost: 600 })
  expect(await sumUpOldCalls(ctx(), 90)).toBe(0)
  await settle(live.call_id, 50)
  expect(await sumUpOldCalls(ctx(), 90)).toBe(1)
  expect(await spent()).toEqual({ calls: 4, kept: 1, cost: 650 })
})
