import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { live } from '../kit/live.ts'

export interface LiveSessions {
  readonly status: string
  readonly rows: number
}

/** Sessions that hold a sandbox or are on the way to one, by project_sessions_live, and creates that wait for room. */
export async function liveSessions(db: Db): Promise<LiveSessions[]> {
  const { rows } = await sql<LiveSessions>`
    select status, count(*) as rows from project_sessions
      where status in ${live} and deleted_at is null group by status
    union all
    select 'waiting', count(*) from session_creates`.execute(db)
  return rows
}

export interface LiveSandboxes {
  readonly provider: string | null
  readonly state: string
  readonly rows: number
}

/** Sandboxes of sessions that run or are being made, by session_sandboxes_status. */
export async function liveSandboxes(db: Db): Promise<LiveSandboxes[]> {
  const { rows } = await sql<LiveSandboxes>`
    select provider, status as state, count(*) as rows from session_sandboxes
    where status in ('provisioning', 'active') group by provider, status`.execute(db)
  return rows
}

export interface WarmRows {
  readonly state: string
  readonly rows: number
}

/** The sandboxes of a pool. */
export async function warmRows(db: Db, pool: string): Promise<WarmRows[]> {
  const { rows } = await sql<WarmRows>`
    select state, count(*) as rows from warm_sandboxes where pool = ${pool} group by state`.execute(db)
  return rows
}
