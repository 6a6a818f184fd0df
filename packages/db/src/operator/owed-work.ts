import { type WorkKind, workKinds } from '@svc/facts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { owedBy } from './owed-by.ts'

/** A row that owes something, whatever the queue holds. */
export interface OwedRow {
  readonly kind: WorkKind
  /** The session's, the attempt's, or the fire's. */
  readonly id: string
  readonly account_id: string
  readonly project_id: string
  readonly session_id: string | null
  readonly since: Date
  /** The connection of the worker that is at it. */
  readonly claimed_by: string | null
  /** Failures of its job since that last succeeded. */
  readonly attempts: number
  readonly last_error: string | null
}

export interface OwedFilter {
  readonly kind?: WorkKind | undefined
  readonly id?: string | undefined
  /** Only those without a claim that are owed since before. */
  readonly stuck_since?: Date | undefined
}

/** A claim is held as long as the connection that made it holds its lock. */
const claimed = sql`(
  select 'backend ' || c.backend_pid from session_claims c
  join pg_locks l on l.pid = c.backend_pid and l.locktype = 'advisory' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(c.work || ':' || c.session_id, 0)
  where c.session_id = o.session_id
    and c.work = case when o.kind = 'deliver' then 'prompts' else 'sandbox' end
  limit 1)`

/** The job that does it; a daemon saves its work by itself, and schedulers fire without a job. */
const job = sql`case o.kind when 'merge' then 'change-request.merge' when 'edit' then 'manifest.edit'
  when 'deliver' then 'prompts.deliver' else 'sandbox.' || o.kind end`

function owed({ kind, id, stuck_since }: OwedFilter): RawBuilder<unknown> {
  const wanted = kind === undefined ? workKinds : [kind]
  const all = sql.join(
    wanted.map((one) => sql`(${owedBy[one]})`),
    sql` union all `,
  )
  return sql`
    select * from (
      select o.*, ${claimed} as claimed_by, coalesce(f.attempts, 0) as attempts, f.error as last_error
      from (${all}) o left join job_failures f on f.row_id = o.id and f.job = ${job} and f.resolved_at is null
        and f.queue = case when o.kind in ('merge', 'edit') then 'merge' else 'session' end
      where ${id === undefined ? sql`true` : sql`o.id = ${id}::uuid`}
        and ${stuck_since === undefined ? sql`true` : sql`o.since < ${stuck_since}`}
    ) w where ${stuck_since === undefined ? sql`true` : sql`w.claimed_by is null`}`
}

export interface OwedPosition {
  readonly since: Date
  readonly id: string
}

/** The longest owed first, from behind `after`. */
export async function list(
  db: Db,
  query: OwedFilter & { readonly after?: OwedPosition | undefined; readonly limit: number },
): Promise<OwedRow[]> {
  const { after, limit } = query
  const { rows } = await sql<OwedRow>`
    select * from (${owed(query)}) q
    where ${after === undefined ? sql`true` : sql`(date_trunc('milliseconds', since), id) > (${after.since}, ${after.id}::uuid)`}
    order by date_trunc('milliseconds', since), id limit ${limit}`.execute(db)
  return rows
}

export interface OwedFigure {
  readonly work: WorkKind
  readonly rows: number
  readonly oldest_seconds: number
}

/** Every kind, also those of which nothing is owed. */
export async function count(db: Db, now: Date): Promise<OwedFigure[]> {
  const all = sql.join(
    workKinds.map((kind) => owedBy[kind]),
    sql` union all `,
  )
  const { rows } = await sql<OwedFigure>`
    select kind as work, count(*)::integer as rows,
      greatest(0, extract(epoch from ${now}::timestamptz - min(since)))::integer as oldest_seconds
    from (${all}) o group by kind`.execute(db)
  return workKinds.map(
    (work) => rows.find((row) => row.work === work) ?? { work, rows: 0, oldest_seconds: 0 },
  )
}
