import { sql } from 'kysely'
import type { Db } from '../database.ts'

export interface RemovalQuery {
  /** Deleted before this. */
  readonly before: Date
  /** The most rows of a statement. */
  readonly limit: number
}

/** Sessions to remove, the longest deleted first, once nothing is owed to their sandboxes: by `project_sessions_deleted`. */
export async function list(db: Db, { before, limit }: RemovalQuery): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    select s.session_id from project_sessions s
    where s.deleted_at < ${before}
      and not exists (select from session_sandboxes b where b.session_id = s.session_id and b.owed is not null)
    order by s.deleted_at limit ${limit}`.execute(db)
  return rows.map((row) => row.session_id)
}

/** Removes up to `limit` of their events; fewer means that no other is left. */
export async function removeEvents(db: Db, session_ids: readonly string[], limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from session_events where (session_id, seq) in (
      select session_id, seq from session_events where session_id = any(${session_ids}::uuid[])
      order by session_id, seq limit ${limit} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function removePrompts(db: Db, session_ids: readonly string[], limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from session_prompts where prompt_id in (
      select prompt_id from session_prompts where session_id = any(${session_ids}::uuid[])
      order by session_id, position limit ${limit} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The rows of the sessions themselves, with their sandboxes and tokens. Their idempotency keys and branches stay. */
export async function remove(db: Db, session_ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from project_sessions where session_id in (
      select session_id from project_sessions where session_id = any(${session_ids}::uuid[])
        and deleted_at is not null order by session_id for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
