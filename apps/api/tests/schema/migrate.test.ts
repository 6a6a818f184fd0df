import { randomBytes } from 'node:crypto'
import { migrations } from '@svc/db'
import { type EmptyDatabase, emptyDatabase } from '@svc/db/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltApi, builtApi } from './built-api.ts'

let database: EmptyDatabase
let api: BuiltApi
beforeEach(async () => {
  database = await emptyDatabase()
  api = await builtApi(database.connection_string)
})
afterEach(async () => {
  await api.close()
  await database.close()
})

const newest = migrations.length
const tables = async () =>
  (
    await sql`select from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`.execute(
      database.db,
    )
  ).rows.length
const behind = `The database is at schema 0 and this build (0.1.0) needs ${newest}. Run "node apps/api/dist/main.js migrate" with a role that owns the schema; nothing was changed.`

test.each([['--nonsense'], ['--check --contract'], ['more']])('`migrate %s` is misused', async (words) => {
  const ended = await api.run(['migrate', ...words.split(' ')])
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toContain('migrate --contract')
})

test.each(['api', 'gateway'])(
  '%s on a database without its schema says what to do, and writes nothing',
  async (app) => {
    const started = api.start({}, app)
    await started.said(JSON.stringify(behind).slice(1, -1))
    expect(await started.ended).toBe(1)
    expect(await tables()).toBe(0)
  },
)

test('checked, run and checked again', async () => {
  expect(await api.run(['migrate', '--check'])).toMatchObject({ code: 1 })
  expect(await tables()).toBe(0)
  const ran = await api.run(['migrate'])
  expect(ran).toMatchObject({ code: 0, err: '' })
  expect(ran.out.split('\n').slice(0, newest)).toEqual(migrations.map(({ name }) => `ran ${name}`))
  expect(await api.run(['migrate', '--check'])).toMatchObject({
    code: 0,
    out: `the database is at schema ${newest}; this build (0.1.0) needs ${newest} and knows ${newest}\n`,
  })
  const { out } = await api.run(['migrate', '--status', '--json'])
  expect(JSON.parse(out)).toEqual({
    level: newest,
    needed: newest,
    newest,
    min_reader: 0,
    pending: [],
    ahead: [],
    drifted: [],
  })
  await database.db.updateTable('schema_migrations').set({ checksum: 'x' }).where('level', '=', 1).execute()
  const drifted = await api.run(['migrate', '--check'])
  expect(drifted.code).toBe(1)
  expect(drifted.out).toContain('ran with other statements than this build has: 20261120T1900-initial')
})

describe('a service that runs', () => {
  test('waits for the schema where it is told to, has a row while it lives, and needs no right to change the schema', async () => {
    const role = `svc_role_${randomBytes(6).toString('hex')}`
    await sql.raw(`create role ${role} login password 'only-for-this-test'`).execute(database.db)
    try {
      for (const grant of [
        'usage on schemas',
        'select, insert, update, delete on tables',
        'usage on sequences',
        'execute on functions',
      ])
        await sql.raw(`alter default privileges grant ${grant} to ${role}`).execute(database.db)
      const url = new URL(database.connection_string)
      Object.assign(url, { username: role, password: 'only-for-this-test' })
      const started = api.start({ DATABASE_URL: url.href, SVC_SCHEMA_WAIT_SECONDS: '600' })
      await started.said('older than this build needs; waiting')
      await api.run(['migrate'])
      await started.said('"msg":"Ready"')
      const rows = await database.db.selectFrom('processes').selectAll().execute()
      expect(rows).toEqual([
        expect.objectContaining({
          service: 'api',
          version: '0.1.0',
          commit: 'abc123',
          machine: 'one',
          schema_level: newest,
          pid: started.pid,
          state: 'running',
        }),
      ])
      expect(await started.end()).toBe(0)
      expect(await database.db.selectFrom('processes').selectAll().execute()).toEqual([])
    } finally {
      await sql.raw(`drop owned by ${role}`).execute(database.db)
      await sql.raw(`drop role ${role}`).execute(database.db)
    }
  })

  test('works beside a newer release, and not on a schema that lacks what it uses', async () => {
    await api.run(['migrate'])
    await database.db
      .updateTable('schema_state')
      .set({ level: newest + 2 })
      .execute()
    const started = api.start({})
    await started.said('a newer release is being rolled out')
    await started.said('"msg":"Ready"')
    expect(await started.end()).toBe(0)
    await database.db
      .updateTable('schema_state')
      .set({ min_reader: newest + 1 })
      .execute()
    const ended = await api.run([])
    expect(ended.code).toBe(1)
    expect(ended.out).toContain(
      `This build (0.1.0) is too old for the database, which needs schema ${newest + 1} or newer. Start the newer release, or restore a backup.`,
    )
  })

  test('with SVC_MIGRATE=auto brings the schema up to date by itself', async () => {
    const started = api.start({ SVC_MIGRATE: 'auto' })
    await started.said('"msg":"Ready"')
    expect(await started.end()).toBe(0)
    expect(await api.run(['migrate', '--check'])).toMatchObject({ code: 0 })
  })
})
