import { sql } from 'kysely'
import type { Db } from '../../src/index.ts'

export interface History {
  /** Sessions, prompts, sandboxes and fires that ended long ago; half of the sessions are deleted. */
  readonly dead: number
  /** Sessions that are live, each with an active sandbox. */
  readonly live: number
  /** Those of them that owe work: half of them are being provisioned, each has a prompt to deliver. */
  readonly owing: number
  readonly project_id?: string
  readonly account_id?: string
}

const hex = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`

/** Rows of what ended long ago beside a little that lives, without the rows that they hang on. */
export async function fillHistory(db: Db, history: History): Promise<void> {
  const { dead, live, owing } = history
  const person = hex('2')
  const project = history.project_id === undefined ? hex('1') : `'${history.project_id}'::uuid`
  const account = history.account_id === undefined ? hex('1') : `'${history.account_id}'::uuid`
  const long_ago = `timestamptz '2026-01-01' + n * interval '1 second'`
  const of = (count: number) => `from generate_series(1, ${count}) n`
  const living = hex(`${dead} + n`)
  const sessions = (id: string, status: string, at: string, rest: string) => `insert into project_sessions
    (session_id, account_id, project_id, branch_name, base_ref, status, agent_name, agent_grant, merge_granted, origin,
     created_by, created_at, updated_at, provisioning_at, started_at, stopped_at, deleted_at)
    select ${id}, ${account}, ${project}, ${id}, 'main', ${status}, 'a', '[]', false, 'user', ${person},
      ${at}, ${at}, ${at}, ${at}, ${rest}`
  const statements = [
    sessions(
      hex('n'),
      `'stopped'`,
      long_ago,
      `${long_ago}, case when n % 2 = 0 then ${long_ago} end ${of(dead)}`,
    ),
    `insert into session_sandboxes (session_id, provider, external_id, status, last_active_at, created_at, updated_at)
      select ${hex('n')}, 'memory', n, case when n % 2 = 0 then 'archived' else 'stopped' end, ${long_ago}, ${long_ago},
        ${long_ago} ${of(dead)}`,
    `insert into session_prompts (prompt_id, session_id, text, source, state, created_by, created_at, updated_at)
      select ${hex('n')}, ${hex('n')}, 't', 'user', 'done', ${person}, ${long_ago}, ${long_ago} ${of(dead)}`,
    `insert into merge_attempts (attempt_id, cr_id, project_id, requested_by, status, outcome, created_at, finished_at)
      select ${hex('n')}, ${project}, ${project}, ${person}, 'merged', '{}', ${long_ago}, ${long_ago} ${of(dead)}`,
    `insert into manifest_edits (edit_id, project_id, requested_by, edit, status, outcome, created_at, finished_at)
      select ${hex('n')}, ${project}, ${person}, '{}', 'done', '{}', ${long_ago}, ${long_ago} ${of(dead)}`,
    `insert into trigger_fires (fire_id, project_id, slug, type, occurrence, scheduled_at, status, session_id, fired_at,
       planned_session_id, created_at)
      select ${hex('n')}, ${project}, 's', 'cron', n, ${long_ago}, 'fired', ${hex('n')}, ${long_ago}, ${hex('n')},
        ${long_ago} ${of(dead)}`,
    `insert into trigger_deliveries (receipt_id, project_id, slug, delivery_id, received_at, headers, body_bytes, verdict)
      select ${hex('n')}, ${project}, 's', n, ${long_ago}, '{}', 0, 'accepted' ${of(dead)}`,
    sessions(
      living,
      `case when n % 2 = 0 or n > ${owing} then 'running' else 'provisioning' end`,
      'now()',
      `null, null ${of(live)}`,
    ),
    `insert into session_sandboxes (session_id, provider, external_id, endpoint, status, last_active_at, created_at,
       updated_at) select ${living}, 'memory', ${dead} + n, 'http://x', 'active', now(), now(), now() ${of(live)}`,
    `insert into session_prompts (prompt_id, session_id, text, source, state, created_by, created_at, updated_at)
      select ${living}, ${living}, 't', 'user', 'pending', ${person}, now(), now() ${of(owing)}`,
  ]
  // Without their references the tables need no order: two fill faster than one.
  const left = [...statements]
  const fill = () =>
    db.connection().execute(async (one) => {
      await sql`set session_replication_role = replica`.execute(one)
      for (let next = left.shift(); next !== undefined; next = left.shift()) await sql.raw(next).execute(one)
      await sql`set session_replication_role = origin`.execute(one)
    })
  await Promise.all([fill(), fill()])
  await sql`vacuum analyze`.execute(db)
}
