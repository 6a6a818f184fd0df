import { randomUUID } from 'node:crypto'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askedCall } from '../src/calls/asked-call.ts'
import { callOf, makeBudget, makePlace, type Place } from './support/place.ts'

const ended = 20_000
/** The rows of ended calls fill 800. */
const mostBuffers = 200

let database: TestDatabase
let place: Place
const token_id = randomUUID()
beforeAll(async () => {
  database = await testDatabase()
  place = await makePlace(database.db)
  await makeBudget(database.db, place, { level: 'project', period: 'month', cap_micros: 1_000_000_000 })
  // A planner without statistics guesses, as for the first minute of a platform.
  await sql`alter table gateway_calls set (autovacuum_enabled = false)`.execute(database.db)
  await sql`insert into gateway_calls (call_id, at, account_id, project_id, token_id, dialect, status, live, streamed, expires_at)
    select gen_random_uuid(), now() - interval '1 day' + n * interval '1 second', ${place.account_id}, ${place.project_id},
      ${token_id}, 'chat', 'admitted', true, true, now() from generate_series(1, ${ended}::integer) n`.execute(
    database.db,
  )
  await sql`update gateway_calls set status = 'settled', live = false, expires_at = null`.execute(database.db)
})
afterAll(() => database.close())

/** Buffers that a statement reads or writes, with all that its functions do. */
async function buffersOf(statement: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{
    'QUERY PLAN': readonly { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[]
  }>`explain (analyze, buffers, format json) ${statement}`.execute(database.db)
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  return (plan?.['Shared Hit Blocks'] ?? Infinity) + (plan?.['Shared Read Blocks'] ?? 0)
}

/** Dead entries of an index are skipped once no snapshot, such as autovacuum's, may need them: a bad plan never gets there. */
const settled = (statement: () => ReturnType<typeof sql>) =>
  expect.poll(() => buffersOf(statement())).toBeLessThan(mostBuffers)

const admission = () =>
  sql`select gateway_admit(${JSON.stringify(askedCall(callOf(place, { token_id })))}::jsonb)`

test('without statistics an admission reads the live calls of its account alone', async () => {
  const { rows } = await sql<{ reltuples: number }>`
    select reltuples from pg_class where relname = 'gateway_calls'`.execute(database.db)
  expect(rows).toEqual([{ reltuples: -1 }])
  await settled(admission)
})

test('so does one whose key has a limit of calls at once', async () => {
  // Only the row of the limits matters here, not the key that it hangs on.
  await database.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    await sql`insert into gateway_key_limits (token_id, concurrency) values (${token_id}, 100)
      on conflict do nothing`.execute(db)
    await sql`set session_replication_role = origin`.execute(db)
  })
  await settled(admission)
})

test('so does the sweep of an account', async () => {
  const sweep = () => sql`select gateway_sweep(${place.account_id}::uuid)`
  await settled(sweep)
})
