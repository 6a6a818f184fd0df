import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { admitBuild, levelsOf, migrate, migrations, processes, readSchema } from '../../src/index.ts'
import { type TestDatabase, testDatabase } from '../../src/testing/index.ts'
import { andThen } from './marked.ts'

let database: TestDatabase
let url: string
beforeEach(async () => {
  database = await testDatabase()
  url = database.connection_string
})
afterEach(() => database.close())

const newest = migrations.length
const rowsOf = async (table: string) =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database.db)).rows
const tables = async (name: string) =>
  (await sql`select from information_schema.tables where table_name = ${name}`.execute(database.db)).rows
    .length

test('nothing stays of a migration that fails, and it runs whole the next time', async () => {
  const broken = { statements: ['create table one (id integer)', 'create table one (id integer)'] }
  await expect(migrate(url, { migrations: andThen({ x: broken }) })).rejects.toThrow(
    'The migration x failed: relation "one" already exists',
  )
  expect(await tables('one')).toBe(0)
  expect((await readSchema(database.db)).level).toBe(newest)
  await migrate(url, {
    migrations: andThen({ x: { statements: ['create table one (id integer)'] } }),
  })
  expect(await tables('one')).toBe(1)
})

test('what a newer build ran is told and is in no way', async () => {
  await migrate(url, {
    migrations: andThen({ x: { statements: ['create table one (id integer)'] } }),
  })
  expect(await migrate(url)).toEqual([])
  const found = await readSchema(database.db)
  expect(found).toMatchObject({ level: newest + 1, newest, ahead: ['x'], pending: [] })
  expect(admitBuild(found, { ...levelsOf(migrations), version: '1' }).kind).toBe('newer')
})

test('a migration whose statements are others than those that ran has drifted', async () => {
  await migrate(url, {
    migrations: andThen({ x: { statements: ['create table one (id integer)'] } }),
  })
  const edited = andThen({ x: { statements: ['create table one (id bigint)'] } })
  expect((await readSchema(database.db, edited)).drifted).toEqual([
    { name: 'x', expected: expect.stringMatching(/^[0-9a-f]{64}$/), found: expect.any(String) },
  ])
  // Windows' ends of lines are the same statement.
  const [multi, crlf] = ['create table two (\n  id integer)', 'create table two (\r\n  id integer)']
  await migrate(url, {
    migrations: andThen({ x: { statements: ['create table one (id integer)'] }, y: { statements: [multi] } }),
  })
  const again = andThen({ x: { statements: ['create table one (id integer)'] }, y: { statements: [crlf] } })
  expect((await readSchema(database.db, again)).drifted).toEqual([])
})

test('one that waits for a lock lets others pass and tries again', async () => {
  const waiters = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like 'alter table accounts%'`.execute(database.db)
    ).rows.length
  const until = async (count: number) => expect.poll(waiters).toBe(count)
  const altered = await database.db.transaction().execute(async (tx) => {
    await sql`lock table accounts in access share mode`.execute(tx)
    const migrating = migrate(url, {
      migrations: andThen({ x: { statements: ['alter table accounts add column extra text'] } }),
    })
    await until(1)
    // It gives up by itself: a reader that queued behind it is served.
    await sql`select from accounts`.execute(database.db)
    return { migrating }
  })
  expect(await altered.migrating).toEqual(['x'])
})

test('one that holds a lock waits for another less long than a request until PostgreSQL looks for circles', async () => {
  await sql`create sequence tries`.execute(database.db)
  const locked = `do $$ begin
    if nextval('tries') < 3 then raise sqlstate '55P03'; end if;
  end $$`
  const note = `insert into waits select current_setting('lock_timeout')`
  const statements = ['create table waits (ms text)', note, locked, note]
  await migrate(url, { migrations: andThen({ x: { statements } }) })
  expect(await rowsOf('waits')).toEqual([{ ms: '300ms' }, { ms: '300ms' }])
  await migrate(url, {
    migrations: andThen({ x: { statements }, y: { statements: ['create table one (id integer)', note] } }),
  })
  expect((await rowsOf('waits')).at(-1)).toEqual({ ms: '100ms' })
})

describe('a contract', () => {
  const contract = { statements: ['drop table old'], phase: 'contract', min_reader: newest + 1 } as const
  const list = andThen({ expand: { statements: ['create table old ()'] }, contract })
  const living = (schema_level: number) => ({
    process_id: randomUUID(),
    service: 'scheduler',
    version: '0.9.7',
    commit: 'abc',
    schema_level,
    machine: 'one',
    pid: 7,
    started_at: new Date(),
    beat_at: new Date(),
  })

  test('waits for its word', async () => {
    expect(await migrate(url, { migrations: list })).toContain('expand')
    expect(await readSchema(database.db, list)).toMatchObject({
      level: newest + 1,
      needed: newest + 1,
      newest: newest + 2,
      pending: [{ name: 'contract', phase: 'contract' }],
    })
    expect(await tables('old')).toBe(1)
  })

  test('is refused while a process lives that uses what goes, and closes the database to its like', async () => {
    await migrate(url, { migrations: list })
    const old = living(newest)
    await processes.beat(database.db, old)
    await processes.beat(database.db, { ...living(newest), beat_at: new Date(Date.now() - processes.goneMs) })
    await processes.beat(database.db, living(newest + 2))
    await expect(migrate(url, { migrations: list, contract: true })).rejects.toThrow(
      `Processes run that know the schema only below level ${newest + 1}: scheduler 0.9.7 (one, pid 7). End or upgrade them first; nothing was changed.`,
    )
    expect(await tables('old')).toBe(1)
    await processes.remove(database.db, old.process_id)
    expect(await migrate(url, { migrations: list, contract: true })).toEqual(['contract'])
    const found = await readSchema(database.db, list)
    expect(found).toMatchObject({ level: newest + 2, min_reader: newest + 1, pending: [] })
    expect(admitBuild(found, { ...levelsOf(migrations), version: '0.9.7' }).kind).toBe('too_old')
  })
})

test('an index that a killed process left unfinished is made anew', async () => {
  await sql`create table wide (a integer)`.execute(database.db)
  await sql`insert into wide values (1), (1)`.execute(database.db)
  await expect(sql`create unique index concurrently wide_a on wide (a)`.execute(database.db)).rejects.toThrow(
    'could not create unique index',
  )
  const index = {
    statements: ['create index concurrently if not exists wide_a on wide (a)'],
    in_transaction: false,
  }
  await migrate(url, { migrations: andThen({ index }) })
  const { rows } =
    await sql`select indisvalid, indisunique from pg_index where indexrelid = 'wide_a'::regclass`.execute(
      database.db,
    )
  expect(rows).toEqual([{ indisvalid: true, indisunique: false }])
  expect(await rowsOf('schema_migrations')).toContainEqual(expect.objectContaining({ name: 'index' }))
})
