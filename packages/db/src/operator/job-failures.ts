import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { JobFailureRow } from './job-failures.table.ts'

type Subject = Pick<JobFailureRow, 'queue' | 'job' | 'row_id'>

/** Counts a failure of the job; the first one after a success begins anew. */
export async function record(
  db: Db,
  failure: Subject & Pick<JobFailureRow, 'failure_id' | 'ids' | 'error' | 'failed_at' | 'request_id'>,
): Promise<void> {
  const { ids, ...columns } = failure
  await db
    .insertInto('job_failures')
    .values({ ...columns, ids: jsonb(ids), resolved_at: null })
    .onConflict((conflict) =>
      conflict.columns(['queue', 'job', 'row_id']).doUpdateSet({
        error: failure.error,
        failed_at: failure.failed_at,
        request_id: failure.request_id,
        resolved_at: null,
        attempts: sql`case when job_failures.resolved_at is null then job_failures.attempts + 1 else 1 end`,
      }),
    )
    .execute()
}

export interface JobSuccess extends Subject {
  readonly at: Date
}

/** These jobs succeeded. Driven by `job_failures_open`, which is empty while nothing fails. */
export async function resolve(db: Db, successes: readonly JobSuccess[]): Promise<void> {
  const column = <Name extends keyof JobSuccess>(name: Name) => successes.map((success) => success[name])
  await sql`
    update job_failures f set resolved_at = s.at
    from unnest(${column('queue')}::text[], ${column('job')}::text[], ${column('row_id')}::uuid[],
      ${column('at')}::timestamptz[]) as s (queue, job, row_id, at)
    where f.queue = s.queue and f.job = s.job and f.row_id = s.row_id and f.resolved_at is null
      and f.failed_at <= s.at`.execute(db)
}

/** Removes failures that came before; no job failed or succeeded so for as long. */
export async function removeOlder(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('job_failures')
    .where('failure_id', 'in', (eb) =>
      eb
        .selectFrom('job_failures')
        .select('failure_id')
        .where('failed_at', '<', before)
        .orderBy('failed_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export interface FailurePosition {
  readonly failed_at: Date
  readonly failure_id: string
}

/** The newest first. */
export async function list(
  db: Db,
  query: {
    readonly queue?: string | undefined
    readonly job?: string | undefined
    readonly after?: FailurePosition | undefined
    readonly limit: number
  },
): Promise<JobFailureRow[]> {
  const { queue, job, after, limit } = query
  let rows = db.selectFrom('job_failures').selectAll()
  if (queue !== undefined) rows = rows.where('queue', '=', queue)
  if (job !== undefined) rows = rows.where('job', '=', job)
  if (after !== undefined)
    rows = rows.where(sql<boolean>`(failed_at, failure_id) < (${after.failed_at}, ${after.failure_id}::uuid)`)
  return rows.orderBy('failed_at', 'desc').orderBy('failure_id', 'desc').limit(limit).execute()
}

/** With the account whose row it is about, as long as that is there. */
export async function find(
  db: Db,
  failure_id: string,
): Promise<(JobFailureRow & { readonly account_id: string | null }) | undefined> {
  const { rows } = await sql<JobFailureRow & { account_id: string | null }>`
    select f.*, coalesce(
      (select account_id from project_sessions where session_id = f.row_id),
      (select account_id from projects where project_id = f.row_id),
      (select p.account_id from merge_attempts a join projects p using (project_id) where a.attempt_id = f.row_id),
      (select p.account_id from manifest_edits e join projects p using (project_id) where e.edit_id = f.row_id)
    ) as account_id
    from job_failures f where f.failure_id = ${failure_id}`.execute(db)
  return rows[0]
}

/** The number that is not resolved, by queue. */
export async function countOpen(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('job_failures')
    .select(['queue', sql<number>`count(*)::integer`.as('n')])
    .where('resolved_at', 'is', null)
    .groupBy('queue')
    .execute()
  return new Map(rows.map(({ queue, n }) => [queue, n]))
}
