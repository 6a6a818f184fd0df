import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filledQuery, fixedQuery } from '../src/kit/fixed-query.ts'
import { batchedRead } from '../src/kit/batched.ts'
import type { Db } from '../src/index.ts'
import { type TestDatabase, testDatabase } from '../src/testing/index.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await testDatabase()
  db = database.db
  await sql`create table notes (id int primary key, body text not null)`.execute(db)
  await sql`insert into notes select n, 'note ' || n from generate_series(1, 100) n`.execute(db)
})

afterAll(() => database.close())

interface Note {
  readonly id: number
  readonly body: string
}

const asked: number[] = []
const read = batchedRead(async (from: Db, ids: readonly number[]) => {
  asked.push(ids.length)
  const { rows } = await sql<Note>`select id, body from notes where id = any(${ids})`.execute(from)
  return ids.map((id) => rows.find((row) => row.id === id))
})

test('a crowd of reads is a few statements, each with its own row', async () => {
  const ids = Array.from({ length: 110 }, (_, n) => n + 1)
  const found = await Promise.all(ids.map((id) => read(db, id)))
  expect(found.map((note) => note?.body)).toEqual(ids.map((id) => (id > 100 ? undefined : `note ${id}`)))
  expect(asked.length).toBeLessThan(5)
})

test('a read in a transaction sees what the transaction did, and nobody else does', async () => {
  await db.transaction().execute(async (tx) => {
    await sql`insert into notes values (200, 'mine')`.execute(tx)
    expect([await read(tx, 200), await read(db, 200)]).toEqual([{ id: 200, body: 'mine' }, undefined])
  })
  expect(await read(db, 200)).toEqual({ id: 200, body: 'mine' })
})

test('a fixed query takes other parameters each time, and only in their order', async () => {
  const between = fixedQuery((from: Db, low: number, high: number) =>
    from
      .selectFrom(sql<Note>`notes`.as('notes'))
      .select('id')
      .where('id', '>=', low)
      .where('id', '<', high),
  )
  expect(await between(db, 1, 3)).toEqual([{ id: 1 }, { id: 2 }])
  expect(await between(db, 5, 6)).toEqual([{ id: 5 }])
  const turned = fixedQuery((from: Db, low: number, high: number) =>
    from
      .selectFrom(sql<Note>`notes`.as('notes'))
      .select('id')
      .where('id', '<', high)
      .where('id', '>=', low),
  )
  await expect(turned(db, 1, 3)).rejects.toThrow('in their order')
})

test('a filled query has each placeholder once, and refuses what was made of one', async () => {
  const [low, when] = ['low', new Date(0)]
  const twice = filledQuery<{ number: number; year: number }>((from) =>
    sql<{ number: number; year: number }>`
      select ${low}::int + ${low}::int + ${1}::int as number, extract(year from ${when}::timestamptz)::int as year`.compile(
      from,
    ),
  )
  const asked = (number: number, at: string) =>
    twice(
      db,
      new Map<unknown, unknown>([
        [low, number],
        [when, new Date(at)],
      ]),
    )
  expect(await asked(2, '2020-06-01T00:00:00Z')).toEqual([{ number: 5, year: 2020 }])
  expect(await asked(3, '2021-06-01T00:00:00Z')).toEqual([{ number: 7, year: 2021 }])
  const made = filledQuery((from) => sql`select ${new Date(when.getTime() + 1)}::timestamptz`.compile(from))
  await expect(made(db, new Map([[when, new Date()]]))).rejects.toThrow('a placeholder, or a constant')
})
