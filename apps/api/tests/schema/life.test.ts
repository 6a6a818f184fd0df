import { sql } from 'kysely'
import { testDatabase, type TestDatabase } from '@svc/db/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltApi, builtApi } from './built-api.ts'

let database: TestDatabase
let built: BuiltApi
beforeEach(async () => {
  database = await testDatabase()
  built = await builtApi(database.connection_string)
})
afterEach(async () => {
  await built.close()
  await database.close()
})

const listProcesses = () =>
  database.db.selectFrom('processes').select(['service', 'state', 'drain_reason']).execute()

describe.each([
  ['api', '/v1/health', 200],
  ['gateway', '/v1/llm/models', 401],
])('%s', (service, path, answer) => {
  test('says at SIGTERM that it leaves, and answers on for as long as it is told to', async () => {
    const started = built.start({ SVC_DRAIN_SECONDS: '3600' }, service)
    const at = `http://127.0.0.1:${String((await started.line('Listening'))['port'])}`
    const internal = `http://127.0.0.1:${String((await started.line('Ready'))['internal_port'])}`
    expect((await fetch(`${internal}/readyz`)).status).toBe(200)
    expect(await listProcesses()).toEqual([{ service, state: 'running', drain_reason: null }])

    started.signal('SIGTERM')
    await started.said('Leaving: requests are still taken')
    const ready = await fetch(`${internal}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toEqual({ status: 'draining' })
    await expect.poll(listProcesses).toEqual([{ service, state: 'draining', drain_reason: 'SIGTERM' }])
    expect((await fetch(at + path)).status).toBe(answer)
    expect((await fetch(`${internal}/healthz`)).status).toBe(200)

    started.signal('SIGTERM')
    expect(await started.ended).toBe(143)
  })

  test('ends well once that time is over, and leaves no row', async () => {
    const started = built.start({ SVC_DRAIN_SECONDS: '1' }, service)
    await started.line('Ready')
    expect(await started.end()).toBe(0)
    expect(await listProcesses()).toEqual([])
  })
})

test('names itself to PostgreSQL, and warns where all together may open more than it takes', async () => {
  const { max } = await database.db
    .selectNoFrom(sql<number>`current_setting('max_connections')::integer`.as('max'))
    .executeTakeFirstOrThrow()
  const started = built.start({ SVC_DB_POOL: String(max) })
  await started.line('Ready')
  await started.said(
    `The processes that run (1) may together open ${max + 21} connections to PostgreSQL, and max_connections is ${max}.`,
  )
  const { process_id } = await database.db
    .selectFrom('processes')
    .select('process_id')
    .executeTakeFirstOrThrow()
  const names = await sql<{
    name: string
  }>`select distinct application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name <> ''`.execute(
    database.db,
  )
  expect(names.rows).toEqual([{ name: `svc-api/0.1.0#${process_id}` }])
})
