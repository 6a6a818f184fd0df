import { type ReviewEvent, reviewMachine, type ReviewStatus } from '@svc/connector/states'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import { reviewColumns, type ReviewChanges } from './review-changes.ts'
import type { ReviewItemRow } from './review-items.table.ts'

export interface ReviewKey {
  readonly project_id: string
  readonly review_id: string
}

/** The new row; undecided as it begins. */
export type NewReviewItem = Omit<
  ReviewItemRow,
  'status' | 'version' | 'verdict_by' | 'feedback' | 'option' | 'decided_at' | 'updated_at'
>

export async function insert(tx: Db, { files, options, ...row }: NewReviewItem): Promise<ReviewItemRow> {
  return tx
    .insertInto('review_items')
    .values({
      ...row,
      files: jsonb(files),
      options: jsonb(options),
      status: 'needs_you',
      version: 1,
      verdict_by: null,
      feedback: null,
      option: null,
      decided_at: null,
      updated_at: row.created_at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function find(db: Db, { project_id, review_id }: ReviewKey): Promise<ReviewItemRow | undefined> {
  return db
    .selectFrom('review_items')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('review_id', '=', review_id)
    .executeTakeFirst()
}

export interface ReviewListQuery {
  readonly project_id: string
  readonly limit: number
  readonly status?: ReviewStatus | undefined
  readonly session_id?: string | undefined
  readonly before?: { readonly created_at: Date; readonly review_id: string } | undefined
}

/** Newest first. */
export async function list(db: Db, query: ReviewListQuery): Promise<ReviewItemRow[]> {
  const { project_id, limit, status, session_id, before } = query
  let rows = db.selectFrom('review_items').selectAll().where('project_id', '=', project_id)
  if (status !== undefined) rows = rows.where('status', '=', status)
  if (session_id !== undefined) rows = rows.where('session_id', '=', session_id)
  if (before !== undefined)
    rows = rows.where(
      sql<boolean>`(created_at, review_id) < (${before.created_at}::timestamptz, ${before.review_id}::uuid)`,
    )
  return rows.orderBy('created_at', 'desc').orderBy('review_id', 'desc').limit(limit).execute()
}

/** Applies `event` if the row's status accepts it and its version is `version`; undefined means it did not. */
export async function apply<Event extends ReviewEvent>(
  tx: Db,
  { project_id, review_id }: ReviewKey,
  version: number,
  { event, change }: { readonly event: Event; readonly change: ReviewChanges[Event] },
  now: Date,
): Promise<ReviewItemRow | undefined> {
  return tx
    .updateTable('review_items')
    .set({ ...reviewColumns(event, change, now), status: reviewMachine.to(event), updated_at: now })
    .where('project_id', '=', project_id)
    .where('review_id', '=', review_id)
    .where('version', '=', version)
    .where('status', 'in', reviewMachine.from(event))
    .returningAll()
    .executeTakeFirst()
}

export interface Submitter {
  readonly project_id: string
  readonly session_id: string | null
  readonly created_by: string
}

/** Counts what waits of one session, or of one person outside of sessions; another that counts waits for the commit. */
export async function countOpen(tx: Db, { project_id, session_id, created_by }: Submitter): Promise<number> {
  const key = `review-items:${project_id}:${session_id ?? created_by}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  const open = tx
    .selectFrom('review_items')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('project_id', '=', project_id)
    .where('status', '=', 'needs_you')
  const own =
    session_id === null
      ? open.where('session_id', 'is', null).where('created_by', '=', created_by)
      : open.where('session_id', '=', session_id)
  return (await own.executeTakeFirstOrThrow()).open
}
