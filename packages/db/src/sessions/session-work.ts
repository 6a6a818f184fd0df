import { promptMachine } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { literals } from '../kit/literals.ts'

/** Work that rows say the sandbox-worker owes; a sweep turns each into a job again. */
export interface OwedSessionWork {
  readonly session_id: string
  readonly job: 'sandbox.provision' | 'sandbox.stop' | 'sandbox.destroy' | 'prompts.deliver'
}

/**
 * Up to `limit` of each kind, so that much of one never keeps the others waiting: by `project_sessions_owed` and
 * `session_sandboxes_owed`.
 */
export async function listOwed(
  db: Db,
  { quiet_since, limit }: { quiet_since: Date; limit: number },
): Promise<OwedSessionWork[]> {
  const { rows } = await sql<OwedSessionWork>`
    (select s.session_id, 'sandbox.provision' as job from project_sessions s
      where s.status = 'provisioning' and s.deleted_at is null and s.updated_at < ${quiet_since}
      order by s.updated_at limit ${limit})
    union all
    (select session_id, 'sandbox.destroy' from session_sandboxes
      where owed = 'destroy' and updated_at < ${quiet_since} order by updated_at limit ${limit})
    union all
    (select session_id, 'sandbox.stop' from session_sandboxes
      where owed = 'stop' and updated_at < ${quiet_since} order by updated_at limit ${limit})`.execute(db)
  return rows
}

/** Prompts whose session is asleep and to be woken for them, as `p` of a session `s`. */
const wakes = (max: number) => sql<boolean>`(
  p.state = 'pending' and p.created_at > s.stopped_at
  or p.state in ${literals(promptMachine.from('cancel'))} and s.wakes_after_exit < ${max}
    and (s.stop_reason in ('sandbox_exited', 'platform_shutdown') or s.failure ->> 'category' = 'gone'))`

/**
 * Sessions with prompts that wait for a sandbox: of one that runs, of one that was asked after it had stopped, and of
 * one that ended though no person stopped it, unless it was woken `wakes` times in vain. By `session_prompts_undelivered`.
 */
export async function listUndelivered(
  db: Db,
  query: { quiet_since: Date; wakes: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    select s.session_id from session_prompts p join project_sessions s using (session_id)
    where p.state in ${literals(promptMachine.from('cancel'))} and p.updated_at < ${query.quiet_since}
      and s.deleted_at is null and s.status in ('running', 'stopped', 'failed')
      and case when s.status = 'running' then p.state = 'pending' else ${wakes(query.wakes)} end
    group by s.session_id order by min(p.updated_at) limit ${query.limit}`.execute(db)
  return rows.map((row) => row.session_id)
}

/** The same question of one session that is asleep. */
export async function isOwedAWake(db: Db, query: { session_id: string; wakes: number }): Promise<boolean> {
  const { rows } = await sql<{ owed: boolean }>`
    select exists (
      select 1 from project_sessions s join session_prompts p using (session_id)
      where s.session_id = ${query.session_id} and s.deleted_at is null and s.status in ('stopped', 'failed')
        and ${wakes(query.wakes)}) as owed`.execute(db)
  return rows[0]?.owed === true
}

/** Running sessions that are owed what was written of their secrets, in no order: by `session_sandboxes_owing`. */
export async function listOwedSecrets(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    select b.session_id from session_sandboxes b join project_sessions s using (session_id)
    where b.secrets_owed > 0 and b.status = 'active' and s.status = 'running' and s.deleted_at is null
    order by random() limit ${limit}`.execute(db)
  return rows.map((row) => row.session_id)
}

/** Sessions that provision for longer than a worker would take, and that no worker works on: by `project_sessions_owed`. */
export async function listAbandoned(
  db: Db,
  query: { since: Date; silence_ms: number; limit: number },
): Promise<string[]> {
  const { since, silence_ms, limit } = query
  const { rows } = await sql<{ session_id: string }>`
    select s.session_id from project_sessions s
    where s.status = 'provisioning' and s.deleted_at is null and s.provisioning_at < ${since}
      and not exists (select 1 from session_claims c where c.session_id = s.session_id and c.work = 'sandbox'
        and c.beat_at > clock_timestamp() - make_interval(secs => ${silence_ms / 1000}::double precision))
    order by s.provisioning_at limit ${limit}`.execute(db)
  return rows.map((row) => row.session_id)
}
