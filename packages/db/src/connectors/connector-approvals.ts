import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import type { ApprovalRow, ApprovalTable } from './connectors.table.ts'

export async function insert(tx: Db, row: Insertable<ApprovalTable>): Promise<void> {
  await tx.insertInto('connector_approvals').values(row).execute()
}

export async function find(db: Db, call_id: string): Promise<ApprovalRow | undefined> {
  return db.selectFrom('connector_approvals').selectAll().where('call_id', '=', call_id).executeTakeFirst()
}

/** Those of a project, the one that ends first at the beginning; of one status, or all. */
export async function list(
  db: Db,
  {
    project_id,
    status,
    limit,
  }: { project_id: string; status?: ApprovalRow['status'] | undefined; limit: number },
): Promise<ApprovalRow[]> {
  let query = db.selectFrom('connector_approvals').selectAll().where('project_id', '=', project_id)
  if (status !== undefined) query = query.where('status', '=', status)
  return query.orderBy('expires_at').orderBy('call_id').limit(limit).execute()
}

export interface ApprovalEnd {
  readonly status: 'approved' | 'denied'
  readonly decision: 'approve' | 'deny'
  readonly decided_by: string
  readonly decided_sign_in_id: string | null
  readonly message: string | null
  readonly decided_at: Date
}

/** Writes a decision on exactly what `digest` names; false when it is decided, ended, or something else. */
export async function decide(
  tx: Db,
  { call_id, digest }: Pick<ApprovalRow, 'call_id' | 'digest'>,
  end: ApprovalEnd,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('connector_approvals')
    .set(end)
    .where('call_id', '=', call_id)
    .where('digest', '=', digest)
    .where('status', '=', 'pending')
    .where('expires_at', '>', end.decided_at)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends it without a decision; false when it had ended. */
export async function end(tx: Db, call_id: string, status: 'expired' | 'cancelled'): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('connector_approvals')
    .set({ status })
    .where('call_id', '=', call_id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Those whose time is over: by `connector_approvals_expiring`. */
export async function listExpired(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('connector_approvals')
    .select('call_id')
    .where('status', '=', 'pending')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.call_id)
}

/** Those that wait for calls of sessions that were deleted. */
export async function listOrphaned(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('connector_approvals as approval')
    .innerJoin('connector_calls as call', 'call.call_id', 'approval.call_id')
    .innerJoin('project_sessions as session', 'session.session_id', 'call.session_id')
    .select('approval.call_id')
    .where('approval.status', '=', 'pending')
    .where('session.deleted_at', 'is not', null)
    .limit(limit)
    .execute()
  return rows.map((row) => row.call_id)
}

/** The calls that wait for people, of all projects: by `connector_approvals_expiring` and `connector_calls_unknown`. */
export async function countWaiting(
  db: Db,
): Promise<{ readonly awaiting_approval: number; readonly unknown: number }> {
  const { rows } = await sql<{ awaiting_approval: number; unknown: number }>`
    select (select count(*)::int from connector_approvals where status = 'pending') as awaiting_approval,
      (select count(*)::int from connector_calls where status = 'unknown') as unknown`.execute(db)
  return rows[0] ?? { awaiting_approval: 0, unknown: 0 }
}
