import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The kinds of work that rows can owe. */
export const owedWork = [
  'provision',
  'stop',
  'destroy',
  'prompts',
  'secrets',
  'merge',
  'manifest_edit',
  'fire',
] as const

export interface OwedRows {
  readonly work: (typeof owedWork)[number]
  readonly rows: number
  /** When the oldest of them came to be owed, or was last tried; null for none. */
  readonly since: Date | null
}

/**
 * Counts the rows that are owed each kind of work. Driven by project_sessions_live, session_sandboxes_owed,
 * session_prompts_owed, session_sandboxes_owing, merge_attempts_owed, manifest_edits_owed and trigger_fires_pending.
 */
export async function owedRows(db: Db): Promise<OwedRows[]> {
  const { rows } = await sql<OwedRows>`
    select 'provision' as work, count(*) as rows, min(provisioning_at) as since from project_sessions
      where status = 'provisioning' and deleted_at is null
    union all
    select 'stop', count(*), min(updated_at) from session_sandboxes where owed = 'stop'
    union all
    select 'destroy', count(*), min(updated_at) from session_sandboxes where owed = 'destroy'
    union all
    select 'prompts', count(*), min(p.updated_at) from session_prompts p join project_sessions s using (session_id)
      where p.state in ('pending', 'delivered', 'running') and p.state = 'pending'
        and s.status = 'running' and s.deleted_at is null
    union all
    select 'secrets', count(*), min(b.updated_at) from session_sandboxes b join project_sessions s using (session_id)
      where b.secrets_owed > 0 and b.status = 'active' and s.status = 'running' and s.deleted_at is null
    union all
    select 'merge', count(*), min(created_at) from merge_attempts where status = 'pending'
    union all
    select 'manifest_edit', count(*), min(created_at) from manifest_edits where status = 'pending'
    union all
    select 'fire', count(*), min(created_at) from trigger_fires where status = 'pending'`.execute(db)
  return rows
}
