import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  checkRuns,
  deletedSessions,
  evictions,
  jobFailures,
  manifestEdits,
  merges,
  monitorHosts,
  previews,
  runningSandboxes,
  sandboxes,
  sessionCreates,
  sessionWork,
  triggerDeliveries,
  triggerFires,
  triggers,
} from '../src/index.ts'
import { type TestDatabase, testDatabase } from '../src/testing/index.ts'
import { explain } from './support/explain.ts'

const dead = 200_000
/** The living rows and the indexes to them; a sweep over the dead reads thousands. */
const mostBuffers = 100

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await fill()
})
afterAll(() => database.close())

/** Rows of what ended long ago, without the rows that they hang on: a sweep has to leave them alone. */
async function fill(): Promise<void> {
  const id = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`
  const [project, person] = [id('1'), id('2')]
  const long_ago = `timestamptz '2026-01-01' + n * interval '1 second'`
  const of = (count: number) => `from generate_series(1, ${count}) n`
  const sessions = (status: string, at: string, rest: string) => `insert into project_sessions
    (session_id, account_id, project_id, branch_name, base_ref, status, agent_name, agent_grant, merge_granted, origin,
     created_by, created_at, updated_at, provisioning_at, started_at, stopped_at, deleted_at)
    select ${id('n')}, ${project}, ${project}, ${id('n')}, 'main', ${status}, 'a', '[]', false, 'user', ${person},
      ${at}, ${at}, ${at}, ${at}, ${rest}`
  const statements = [
    sessions(`'stopped'`, long_ago, `${long_ago}, case when n % 2 = 0 then ${long_ago} end ${of(dead)}`),
    `insert into session_sandboxes (session_id, provider, external_id, status, last_active_at, created_at, updated_at)
      select ${id('n')}, 'memory', n, case when n % 2 = 0 then 'archived' else 'stopped' end, ${long_ago}, ${long_ago},
        ${long_ago} ${of(dead)}`,
    `insert into session_prompts (prompt_id, session_id, text, source, state, created_by, created_at, updated_at)
      select ${id('n')}, ${id('n')}, 't', 'user', 'done', ${person}, ${long_ago}, ${long_ago} ${of(dead)}`,
    `insert into merge_attempts (attempt_id, cr_id, project_id, requested_by, status, outcome, created_at, finished_at)
      select ${id('n')}, ${project}, ${project}, ${person}, 'merged', '{}', ${long_ago}, ${long_ago} ${of(dead)}`,
    `insert into manifest_edits (edit_id, project_id, requested_by, edit, status, outcome, created_at, finished_at)
      select ${id('n')}, ${project}, ${person}, '{}', 'done', '{}', ${long_ago}, ${long_ago} ${of(dead)}`,
    `insert into trigger_fires (fire_id, project_id, slug, type, occurrence, scheduled_at, status, session_id, fired_at,
       planned_session_id, created_at)
      select ${id('n')}, ${project}, 's', 'cron', n, ${long_ago}, 'fired', ${id('n')}, ${long_ago}, ${id('n')},
        ${long_ago} ${of(dead)}`,
    `insert into trigger_deliveries (receipt_id, project_id, slug, delivery_id, received_at, headers, body_bytes, verdict)
      select ${id('n')}, ${project}, 's', n, ${long_ago}, '{}', 0, 'accepted' ${of(dead)}`,
    // A little that lives: each sweep finds some of it, or looks past it.
    sessions(
      `case when n % 2 = 0 then 'running' else 'provisioning' end`,
      'now()',
      `null, null ${of(10)}`,
    ).replaceAll(id('n'), id(`${dead} + n`)),
    `insert into session_sandboxes (session_id, provider, external_id, endpoint, status, last_active_at, created_at,
       updated_at) select ${id(`${dead} + n`)}, 'memory', ${dead} + n, 'http://x', 'active', now(), now(), now() ${of(10)}`,
    `insert into session_prompts (prompt_id, session_id, text, source, state, created_by, created_at, updated_at)
      select ${id(`${dead} + n`)}, ${id(`${dead} + n`)}, 't', 'user', 'pending', ${person}, now(), now() ${of(10)}`,
  ]
  await database.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    for (const statement of statements) await sql.raw(statement).execute(db)
    await sql`set session_replication_role = origin`.execute(db)
  })
  await sql`vacuum analyze`.execute(database.db)
}

const soon = new Date(Date.now() + 3_600_000)
const limit = 500
const providers = ['memory']
const idle = { now: soon, idle_since: soon, trigger_idle_since: soon }
/** It writes what it takes, to every index of the row. */
const unseen = { providers, before: soon, now: soon, limit: 1 }

test.each<[string, Parameters<typeof explain>[1]]>([
  ['undelivered prompts', (db) => sessionWork.listUndelivered(db, { quiet_since: soon, wakes: 3, limit })],
  ['owed work', (db) => sessionWork.listOwed(db, { quiet_since: soon, limit })],
  ['owed secrets', (db) => sessionWork.listOwedSecrets(db, limit)],
  ['abandoned sessions', (db) => sessionWork.listAbandoned(db, { since: soon, silence_ms: 0, limit })],
  ['running sandboxes', (db) => runningSandboxes.list(db, providers)],
  ['running sandboxes, one at a time', (db) => runningSandboxes.takeUnchecked(db, unseen)],
  [
    'silent sandboxes',
    (db) => runningSandboxes.listSilent(db, { lease_before: soon, unreachable_before: soon }, limit),
  ],
  ['evictions', (db) => evictions.list(db, { now: soon, limit })],
  ['idle sandboxes', (db) => sandboxes.listIdle(db, idle, limit)],
  ['waiting sessions', (db) => sessionCreates.listAccounts(db, limit)],
  ['merges', (db) => merges.listOwedAttempts(db, soon, limit)],
  ['edits of manifests', (db) => manifestEdits.listOwed(db, soon, limit)],
  ['due triggers', (db) => triggers.claimDue(db, soon)],
  ['the next due trigger', (db) => triggers.nextDue(db)],
  ['owed fires', (db) => triggerFires.claimOwed(db, soon)],
  ['the next owed fire', (db) => triggerFires.nextOwed(db)],
  ['hosts of monitors', (db) => monitorHosts.insertWanted(db)],
  ['old fires', (db) => triggerFires.removeOlder(db, new Date(0), limit)],
  ['old deliveries', (db) => triggerDeliveries.removeOlder(db, new Date(0), new Date(0), limit)],
  ['deleted sessions', (db) => deletedSessions.list(db, { before: new Date(0), limit })],
  ['old attempts to merge', (db) => merges.removeFinished(db, new Date(0), limit)],
  ['old edits of manifests', (db) => manifestEdits.removeFinished(db, new Date(0), limit)],
  ['old failures of jobs', (db) => jobFailures.removeOlder(db, new Date(0), limit)],
  ['lost runs of checks', (db) => checkRuns.listLost(db, new Date(0), limit)],
  ['previews that are over', (db) => previews.removeExpired(db, soon, limit)],
])('the sweep for %s reads what is live alone', async (_, sweep) => {
  const plans = await explain(database.db, sweep)
  expect(plans.length).toBeGreaterThan(0)
  const busy = [
    'project_sessions',
    'session_sandboxes',
    'session_prompts',
    'merge_attempts',
    'manifest_edits',
  ]
  const large = [...busy, 'trigger_fires', 'trigger_deliveries']
  expect(
    plans.filter(
      (plan) => plan.buffers > mostBuffers || plan.sequential.some((table) => large.includes(table)),
    ),
  ).toEqual([])
})
