import { mergeAttemptMachine, type MergeIntentEvent, mergeIntentMachine } from '@svc/change-request'
import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type {
  MergeAttemptRow,
  MergeAttemptTable,
  MergeEnd,
  MergeIntentRow,
  MergeIntentTable,
} from './merges.table.ts'
import { notify } from '../kit/listen.ts'

export async function insertAttempt(db: Db, attempt: Insertable<MergeAttemptTable>): Promise<void> {
  await db.insertInto('merge_attempts').values(attempt).execute()
}

export async function findAttempt(db: Db, attempt_id: string): Promise<MergeAttemptRow | undefined> {
  return db.selectFrom('merge_attempts').selectAll().where('attempt_id', '=', attempt_id).executeTakeFirst()
}

/** Attempts that have waited since `quiet_since`, oldest first. */
export async function listOwedAttempts(db: Db, quiet_since: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('merge_attempts')
    .select('attempt_id')
    .where('status', '=', 'pending')
    .where('created_at', '<', quiet_since)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.attempt_id)
}

/** Ends the attempt and notifies the callers that wait for it; false when it had ended. */
export async function finishAttempt(
  db: Db,
  attempt_id: string,
  { event, outcome }: MergeEnd,
  now: Date,
): Promise<boolean> {
  const kind = mergeAttemptMachine.to(event)
  const { numUpdatedRows } = await db
    .updateTable('merge_attempts')
    .set({
      status: mergeAttemptMachine.to(event),
      outcome: jsonb({ kind, ...outcome }),
      finished_at: now,
    })
    .where('attempt_id', '=', attempt_id)
    .where('status', 'in', mergeAttemptMachine.from(event))
    .executeTakeFirst()
  await notify(db, 'merge', { attempt_id })
  return numUpdatedRows > 0n
}

export async function insertIntent(tx: Db, intent: Insertable<MergeIntentTable>): Promise<void> {
  await tx.insertInto('merge_intents').values(intent).execute()
}

/** The plan of this change request whose end is not written yet; there is at most one. */
export async function findPlanned(db: Db, cr_id: string): Promise<MergeIntentRow | undefined> {
  return db
    .selectFrom('merge_intents')
    .selectAll()
    .where('cr_id', '=', cr_id)
    .where('state', '=', 'planned')
    .executeTakeFirst()
}

/** The person who asked for a merge of it last, as long as that is kept. */
export async function lastAsker(db: Db, cr_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('merge_attempts')
    .select('requested_by')
    .where('cr_id', '=', cr_id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.requested_by
}

/** True when the intent was still planned. */
export async function settleIntent(tx: Db, intent_id: string, event: MergeIntentEvent): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('merge_intents')
    .set({ state: mergeIntentMachine.to(event) })
    .where('intent_id', '=', intent_id)
    .where('state', 'in', mergeIntentMachine.from(event))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes up to `limit` that ended before: by `merge_attempts_finished`. */
export async function removeFinished(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('merge_attempts')
    .where('attempt_id', 'in', (eb) =>
      eb
        .selectFrom('merge_attempts')
        .select('attempt_id')
        .where('finished_at', '<', before)
        .orderBy('finished_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
