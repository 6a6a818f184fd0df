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

/** The job succeeded. Driven by `job_failures_open`, which is empty while nothing fails. */
export async function resolve(db: Db, { queue, job, row_id }: Subject, now: Date): Promise<void> {
  await db
    .updateTable('job_failures')
    .set({ resolved_at: now })
    .where('queue', '=', queue)
    .where('job', '=', job)
    .where('row_id', '=', row_id)
    .where('resolved_at', 'is', null)
    .execute()
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
