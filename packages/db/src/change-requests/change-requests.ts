import { type ChangeRequestEvent, changeRequestMachine, type ChangeRequestStatus } from '@svc/change-request'
import { type Insertable, sql } from 'kysely'
import { changeRequestColumns, type ChangeRequestChanges } from './change-request-changes.ts'
import type { ChangeRequestRow, ChangeRequestTable } from './change-requests.table.ts'
import type { Db } from '../database.ts'

/** `cr` is the cr_id, or the number within the project. */
export interface ChangeRequestKey {
  readonly project_id: string
  readonly cr: string
}

export async function insert(tx: Db, row: Insertable<ChangeRequestTable>): Promise<ChangeRequestRow> {
  return tx.insertInto('change_requests').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function find(db: Db, key: ChangeRequestKey): Promise<ChangeRequestRow | undefined> {
  const rows = db.selectFrom('change_requests').selectAll().where('project_id', '=', key.project_id)
  const one = /^[0-9]+$/.test(key.cr)
    ? rows.where('number', '=', Number(key.cr))
    : rows.where('cr_id', '=', key.cr)
  return one.executeTakeFirst()
}

export async function findOpenPair(
  db: Db,
  pair: { project_id: string; head_ref: string; base_ref: string },
): Promise<ChangeRequestRow | undefined> {
  return db
    .selectFrom('change_requests')
    .selectAll()
    .where('project_id', '=', pair.project_id)
    .where('head_ref', '=', pair.head_ref)
    .where('base_ref', '=', pair.base_ref)
    .where('status', '=', 'open')
    .executeTakeFirst()
}

export interface ChangeRequestListQuery {
  readonly project_id: string
  readonly limit: number
  readonly status?: ChangeRequestStatus
  readonly origin_session_id?: string
  readonly below_number?: number
}

/** Highest number first. */
export async function list(db: Db, query: ChangeRequestListQuery): Promise<ChangeRequestRow[]> {
  let rows = db.selectFrom('change_requests').selectAll().where('project_id', '=', query.project_id)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  if (query.origin_session_id !== undefined)
    rows = rows.where('origin_session_id', '=', query.origin_session_id)
  if (query.below_number !== undefined) rows = rows.where('number', '<', query.below_number)
  return rows.orderBy('number', 'desc').limit(query.limit).execute()
}

/**
 * Applies `event` if the row's status accepts it and no merge of it is between its plan and its end; undefined means it
 * did not.
 */
export async function apply<Event extends ChangeRequestEvent>(
  db: Db,
  cr_id: string,
  event: Event,
  change: ChangeRequestChanges[Event],
  now: Date,
): Promise<ChangeRequestRow | undefined> {
  let update = db
    .updateTable('change_requests')
    .set({
      ...changeRequestColumns(event, change, now),
      status: changeRequestMachine.to(event),
      updated_at: now,
    })
    .where('cr_id', '=', cr_id)
    .where('status', 'in', changeRequestMachine.from(event))
  if (event === 'close') {
    update = update.where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('merge_intents')
            .select('intent_id')
            .whereRef('merge_intents.cr_id', '=', 'change_requests.cr_id')
            .where('state', '=', 'planned'),
        ),
      ),
    )
  }
  return update.returningAll().executeTakeFirst()
}

export interface SeenTips {
  readonly cr_id: string
  readonly head_commit_sha: string
  readonly base_commit_sha: string
}

/**
 * Keeps the tips that were seen, only while open. Rows that another reader is refreshing are left to it: they are not
 * among what this returns.
 */
export async function refreshTips(db: Db, seen: readonly SeenTips[], now: Date): Promise<ChangeRequestRow[]> {
  const column = (name: keyof SeenTips) => seen.map((tips) => tips[name])
  const { rows } = await sql<ChangeRequestRow>`
    with free as (
      select cr_id from change_requests
      where cr_id = any(${column('cr_id')}::uuid[]) and status = 'open' for no key update skip locked
    )
    update change_requests set head_commit_sha = seen.head, base_commit_sha = seen.base, updated_at = ${now}
    from free join unnest(
      ${column('cr_id')}::uuid[], ${column('head_commit_sha')}::text[], ${column('base_commit_sha')}::text[]
    ) as seen (cr_id, head, base) using (cr_id)
    where change_requests.cr_id = free.cr_id and status = 'open'
    returning change_requests.*`.execute(db)
  return rows
}

export async function listByIds(db: Db, cr_ids: readonly string[]): Promise<ChangeRequestRow[]> {
  if (cr_ids.length === 0) return []
  return db.selectFrom('change_requests').selectAll().where('cr_id', 'in', cr_ids).execute()
}

/** Locks the row until the transaction ends. */
export async function lock(tx: Db, cr_id: string): Promise<ChangeRequestRow | undefined> {
  return tx
    .selectFrom('change_requests')
    .selectAll()
    .where('cr_id', '=', cr_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Takes the link away from whatever the session opened: the session is removed, and its change requests stay. */
export async function unlinkSession(tx: Db, session_id: string): Promise<void> {
  await tx
    .updateTable('change_requests')
    .set({ origin_session_id: null })
    .where('origin_session_id', '=', session_id)
    .execute()
}
