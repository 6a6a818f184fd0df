import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callsOf } from './support/calls-of.ts'
import { callOf, creditOf, makePlace } from './support/place.ts'
import { expectBalanced } from './support/windows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const { admit, settle, refusal, rowOf } = callsOf(() => database.db)

test('what the service bills is refused in the order of plan, account, credit', async () => {
  const billed = { provider_scope: 'operator' } as const
  const free = await makePlace(database.db, 'free')
  expect(await refusal(callOf(free, billed))).toMatchObject({
    code: 'subscription_required',
    billing_state: 'none',
    balance: null,
    account_id: free.account_id,
  })
  expect(await admit(callOf(free))).toMatchObject({ outcome: 'granted' })
  const team = await makePlace(database.db, 'team')
  expect(await refusal(callOf(team, billed))).toMatchObject({
    code: 'no_account',
    billing_state: 'none',
    balance: null,
  })
  await creditOf(database.db, team, 3_000)
  const call = callOf(team, billed)
  expect(await admit(call)).toMatchObject({ granted_micros: 2_000, bounded: true })
  expect(await refusal(callOf(team, billed))).toMatchObject({
    code: 'insufficient_credits',
    billing_state: 'active',
    balance: 3_000,
    account_id: team.account_id,
  })
  await settle(call.call_id, 1_000, 250)
  expect(await rowOf(call)).toMatchObject({ cost_micros: 1_500, billed_micros: 1_500 })
  await sql`update credit_accounts set billing_state = 'past_due' where account_id = ${team.account_id}`.execute(
    database.db,
  )
  expect(await refusal(callOf(team, billed))).toMatchObject({
    code: 'insufficient_credits',
    billing_state: 'past_due',
  })
  await expectBalanced(database.db)
})

test('the first call of a month grants its credit, once, and a plan adds its markup', async () => {
  const { db } = database
  await sql`update plans set monthly_credit_micros = 5000, markup_percent = 25 where tier = 'enterprise'`.execute(
    db,
  )
  const place = await makePlace(db, 'team')
  await sql`update accounts set tier = 'enterprise' where account_id = ${place.account_id}`.execute(db)
  await creditOf(db, place, 0)
  const [one, two] = [
    callOf(place, { provider_scope: 'operator' }),
    callOf(place, { provider_scope: 'operator' }),
  ]
  expect(await admit(one)).toMatchObject({ granted_micros: 2_000 })
  expect(await admit(two)).toMatchObject({ granted_micros: 2_000 })
  expect(await refusal(callOf(place, { provider_scope: 'operator' }))).toMatchObject({ balance: 5_000 })
  for (const { call_id } of [one, two]) await settle(call_id, 1_000, 500)
  const { rows } = await sql`
    select kind, amount_micros, balance_after_micros from credit_ledger where account_id = ${place.account_id}
    order by position`.execute(db)
  expect(rows.slice(1)).toEqual([
    { kind: 'grant', amount_micros: 5_000, balance_after_micros: 5_000 },
    { kind: 'usage', amount_micros: -5_000, balance_after_micros: 0 },
  ])
  expect(await refusal(callOf(place, { provider_scope: 'operator' }))).toMatchObject({
    billing_state: 'exhausted',
  })
  await expectBalanced(db)
})
