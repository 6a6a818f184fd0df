import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempts, type Db } from '../src/index.ts'
import { type TestDatabase, testDatabase } from '../src/testing/index.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await testDatabase()
  db = database.db
})
afterAll(() => database.close())

const minute = 60_000
const start = new Date('2026-01-01T00:00:00Z')
const later = (ms: number) => new Date(start.getTime() + ms)

async function rowsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select key from ${sql.table(table)} order by key`.execute(db)
  return rows.map(({ key }) => key)
}

test('attempts at once are counted one by one, in a table that nothing else writes', async () => {
  const counted = await Promise.all(
    Array.from({ length: 20 }, () => attempts.count(db, 'at-once', minute, start)),
  )
  expect(counted.map(({ attempts }) => attempts).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
  expect(counted.every(({ until }) => until.getTime() === later(minute).getTime())).toBe(true)
  expect(await rowsOf('attempt_counts')).toEqual(['at-once'])
  expect(await rowsOf('rate_limits')).toEqual([])
})

test('a window ends when it was said to, and the next attempt begins another', async () => {
  await attempts.count(db, 'window', minute, start)
  expect(await attempts.count(db, 'window', minute, later(minute - 1))).toEqual({
    attempts: 2,
    until: later(minute),
  })
  expect(await attempts.count(db, 'window', minute, later(minute))).toEqual({
    attempts: 1,
    until: later(2 * minute),
  })
})

test('an attempt that is given back is not counted, and never more than were made', async () => {
  await attempts.count(db, 'given-back', minute, start)
  await attempts.giveBack(db, ['given-back', 'unknown'])
  await attempts.giveBack(db, ['given-back'])
  expect(await attempts.count(db, 'given-back', minute, start)).toMatchObject({ attempts: 1 })
})

test('windows that ended go with a later attempt', async () => {
  await attempts.count(db, 'kept', 60 * minute, start)
  await attempts.count(db, 'gone', minute, start)
  await attempts.count(db, 'last', 60 * minute, later(5 * minute))
  expect(await rowsOf('attempt_counts')).toEqual(['kept', 'last'])
})
