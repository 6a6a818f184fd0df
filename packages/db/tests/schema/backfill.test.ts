import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, readSchema } from '../../src/index.ts'
import { type TestDatabase, testDatabase } from '../../src/testing/index.ts'
import { marked } from './marked.ts'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const runner = join(import.meta.dirname, 'backfill-runner.ts')

let database: TestDatabase
let url: string
beforeEach(async () => {
  database = await testDatabase()
  url = database.connection_string
  await migrate(url, { migrations: marked.slice(0, -1) })
})
afterEach(() => database.close())

const marks = async () => {
  const { rows } = await sql<{ marks: number; rows: number }>`
    select marks, count(*)::integer as rows from marked group by marks order by marks`.execute(database.db)
  return rows
}
const place = () =>
  database.db.selectFrom('schema_backfills').select(['name', 'cursor', 'done', 'rows']).execute()
/** A step that reaches the row waits while the test holds the lock. */
const block = (id: number) =>
  sql`create function wait_there() returns trigger language plpgsql as
    'begin perform set_config(''lock_timeout'', ''0'', true); perform pg_advisory_xact_lock(1); return new; end'`
    .execute(database.db)
    .then(() =>
      sql
        .raw(
          `create trigger waits before update on marked for each row when (old.id = ${id})
          execute function wait_there()`,
        )
        .execute(database.db),
    )
const waiters = async () =>
  (
    await sql`select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
      and query like '%moved%'`.execute(database.db)
  ).rows.length

test('rows move 5,000 a transaction, each once, and then its statements run', async () => {
  expect(await migrate(url, { migrations: marked })).toEqual(['b'])
  expect(await marks()).toEqual([{ marks: 1, rows: 12_000 }])
  expect(await place()).toEqual([{ name: 'b', cursor: '12000', done: true, rows: 12_000 }])
  expect((await readSchema(database.db, marked)).drifted).toEqual([])
  const other = marked.map((one) =>
    one.name === 'b' ? { ...one, backfill: `${one.backfill} limit 1` } : one,
  )
  expect((await readSchema(database.db, other)).drifted).toMatchObject([{ name: 'b' }])
})

test.each([1, 5_001, 10_001])(
  'one that is killed at row %d goes on behind the steps that are done, by whoever comes first',
  async (id) => {
    await block(id)
    const done = id - 1
    await database.db.connection().execute(async (held) => {
      await sql`select pg_advisory_lock(1)`.execute(held)
      const child = spawn(process.execPath, ['--import', tsx, runner, url], { stdio: 'inherit' })
      const ended = once(child, 'exit').then(() => 'ended')
      await Promise.race([expect.poll(waiters, { timeout: 60_000 }).toBe(1), ended])
      expect(await waiters()).toBe(1)
      child.kill('SIGKILL')
      await ended
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and wait_event = 'advisory'`.execute(held)
      await sql`select pg_advisory_unlock(1)`.execute(held)
    })
    const before = done === 0 ? [] : [{ marks: 1, rows: done }]
    expect(await marks()).toEqual([{ marks: 0, rows: 12_000 - done }, ...before])
    expect(await place()).toMatchObject([
      { cursor: done === 0 ? null : String(done), done: false, rows: done },
    ])
    expect((await readSchema(database.db, marked)).pending).toMatchObject([{ name: 'b' }])

    const ran = await Promise.all([1, 2].map(() => migrate(url, { migrations: marked })))
    expect(ran.flat()).toEqual(['b'])
    expect(await marks()).toEqual([{ marks: 1, rows: 12_000 }])
  },
)
