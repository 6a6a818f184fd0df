import type { WorkKind } from '@svc/facts'
import { promptMachine, sessionLimits } from '@svc/session'
import { type RawBuilder, sql } from 'kysely'
import { literals } from '../kit/literals.ts'

/** Of a session `s` and, where it is named, its sandbox `b`. */
const ofSessions = (kind: WorkKind, since: string, from: RawBuilder<unknown>) => sql`
  select ${sql.lit(kind)} as kind, s.session_id as id, s.account_id, s.project_id, s.session_id,
    ${sql.raw(since)} as since from ${from}`

const sandboxes = sql`session_sandboxes b join project_sessions s using (session_id)`

/**
 * The rows that owe each kind of work, as the sweeps find them, which a test holds this to. Each begins at what is owed:
 * project_sessions_live, session_sandboxes_owed, session_sandboxes_owing, session_sandboxes_unsaved,
 * session_prompts_undelivered, merge_attempts_owed, manifest_edits_owed and trigger_fires_pending.
 */
export const owedBy: Readonly<Record<WorkKind, RawBuilder<unknown>>> = {
  provision: ofSessions(
    'provision',
    's.provisioning_at',
    sql`project_sessions s where s.status = 'provisioning' and s.deleted_at is null`,
  ),
  stop: ofSessions('stop', 'coalesce(s.stopped_at, s.updated_at)', sql`${sandboxes} where b.owed = 'stop'`),
  destroy: ofSessions(
    'destroy',
    'coalesce(s.deleted_at, b.updated_at)',
    sql`${sandboxes} where b.owed = 'destroy'`,
  ),
  secrets: ofSessions(
    'secrets',
    'b.updated_at',
    sql`${sandboxes} where b.secrets_owed > 0 and b.status = 'active' and s.status = 'running' and s.deleted_at is null`,
  ),
  checkpoint: ofSessions(
    'checkpoint',
    'b.unsaved_since',
    sql`${sandboxes} where b.unsaved_since is not null and b.status = 'active' and s.status = 'running'
      and s.deleted_at is null`,
  ),
  deliver: sql`
    select 'deliver' as kind, s.session_id as id, s.account_id, s.project_id, s.session_id,
      case when s.status = 'running' then p.pending_since else greatest(p.since, s.stopped_at) end as since
    from (select session_id, min(created_at) as since, min(updated_at) filter (where state = 'pending') as pending_since,
        max(created_at) filter (where state = 'pending') as asked_at
      from session_prompts where state in ${literals(promptMachine.from('cancel'))} group by session_id) p
    join project_sessions s using (session_id)
    where s.deleted_at is null and (
      s.status = 'running' and p.pending_since is not null
      or s.status in ('stopped', 'failed') and (
        p.asked_at > s.stopped_at
        or s.wakes_after_exit < ${sessionLimits.wakesAfterExit}
          and (s.stop_reason in ('sandbox_exited', 'platform_shutdown') or s.failure ->> 'category' = 'gone')))`,
  merge: sql`
    select 'merge' as kind, a.attempt_id as id, p.account_id, a.project_id, null::uuid as session_id, a.created_at as since
    from merge_attempts a join projects p using (project_id) where a.status = 'pending'`,
  edit: sql`
    select 'edit' as kind, e.edit_id as id, p.account_id, e.project_id, null::uuid as session_id, e.created_at as since
    from manifest_edits e join projects p using (project_id) where e.status = 'pending'`,
  fire: sql`
    select 'fire' as kind, f.fire_id as id, p.account_id, f.project_id, null::uuid as session_id, f.created_at as since
    from trigger_fires f join projects p using (project_id) where f.status = 'pending'`,
}
