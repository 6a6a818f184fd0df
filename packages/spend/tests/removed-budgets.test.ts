import { budgets } from '@svc/db'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callsOf } from './support/calls-of.ts'
import { callOf, makeBudget, makePlace } from './support/place.ts'
import { expectBalanced, windowsOf } from './support/windows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const { admit, settle, rowOf } = callsOf(() => database.db)

test('a call whose budget is removed goes on, and is counted by the others alone', async () => {
  const { db } = database
  const place = await makePlace(db)
  const [gone, kept] = [
    await makeBudget(db, place, { level: 'project', cap_micros: 10_000 }),
    await makeBudget(db, place, { level: 'account', cap_micros: 10_000, of: 'account' }),
  ]
  const call = callOf(place)
  expect(await admit(call)).toMatchObject({ granted_micros: 2_000 })
  await db.transaction().execute((tx) => budgets.remove(tx, gone))
  expect(await settle(call.call_id, 900)).toMatchObject({ outcome: 'settled', charged_micros: 900 })
  expect(await windowsOf(db, place.account_id)).toEqual([
    { budget_id: kept, subject: place.account_id, spent_micros: 900, held_micros: 0 },
  ])
  expect(await rowOf(call)).toMatchObject({ status: 'settled', cost_micros: 900 })
  await expectBalanced(db)
})

test('budgets that come and go while calls begin and end refuse none by mistake', async () => {
  const { db } = database
  const place = await makePlace(db)
  const first = await makeBudget(db, place, { level: 'account', cap_micros: 1_000_000, of: 'account' })
  let going = true
  const changing = (async () => {
    let rounds = 0
    for (; going; rounds += 1) {
      const id = await makeBudget(db, place, { level: 'project', cap_micros: 1_000_000 })
      await db.transaction().execute((tx) => budgets.remove(tx, id))
    }
    return rounds
  })()
  for (let round = 0; round < 15; round += 1) {
    const calls = Array.from({ length: 8 }, () => callOf(place))
    const answers = await Promise.all(calls.map((call) => admit(call)))
    expect(answers.map(({ outcome }) => outcome)).toEqual(calls.map(() => 'granted'))
    await Promise.all(calls.map(({ call_id }) => settle(call_id, 10)))
  }
  going = false
  expect(await changing).toBeGreaterThan(5)
  expect(await windowsOf(db, place.account_id)).toEqual([
    { budget_id: first, subject: place.account_id, spent_micros: 1_200, held_micros: 0 },
  ])
  await expectBalanced(db)
})
