import { type CallEvent, callMachine, type CallStatus } from '@svc/connector/states'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../database.ts'
import { notify } from '../kit/listen.ts'
import type { CallTable, ConnectorCallRow } from './connectors.table.ts'

export type NewCall = Insertable<CallTable>

/** The row; undefined when an equal call of the session waits, or its key was used. */
export async function insert(tx: Db, row: NewCall): Promise<ConnectorCallRow | undefined> {
  return tx
    .insertInto('connector_calls')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function find(db: Db, call_id: string): Promise<ConnectorCallRow | undefined> {
  return db.selectFrom('connector_calls').selectAll().where('call_id', '=', call_id).executeTakeFirst()
}

/** Those of these ids, by id. */
export async function findMany(db: Db, call_ids: readonly string[]): Promise<Map<string, ConnectorCallRow>> {
  if (call_ids.length === 0) return new Map()
  const rows = await db.selectFrom('connector_calls').selectAll().where('call_id', 'in', call_ids).execute()
  return new Map(rows.map((row) => [row.call_id, row]))
}

/** Locked until the transaction ends. */
export async function lock(tx: Db, call_id: string): Promise<ConnectorCallRow | undefined> {
  return tx
    .selectFrom('connector_calls')
    .selectAll()
    .where('call_id', '=', call_id)
    .forUpdate()
    .executeTakeFirst()
}

export async function findByKey(
  db: Db,
  {
    project_id,
    actor_id,
    idempotency_key,
  }: Pick<ConnectorCallRow, 'project_id' | 'actor_id'> & {
    readonly idempotency_key: string
  },
): Promise<ConnectorCallRow | undefined> {
  return db
    .selectFrom('connector_calls')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('actor_id', '=', actor_id)
    .where('idempotency_key', '=', idempotency_key)
    .executeTakeFirst()
}

export async function findWaiting(
  db: Db,
  {
    project_id,
    session_id,
    request_digest,
  }: Pick<ConnectorCallRow, 'project_id' | 'request_digest'> & {
    readonly session_id: string
  },
): Promise<ConnectorCallRow | undefined> {
  return db
    .selectFrom('connector_calls')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('session_id', '=', session_id)
    .where('request_digest', '=', request_digest)
    .where('status', '=', 'awaiting_approval')
    .executeTakeFirst()
}

export interface ListedCalls {
  readonly project_id: string
  readonly session_id?: string | undefined
  readonly slug?: string | undefined
  readonly status?: CallStatus | undefined
  readonly limit: number
  readonly before?: { readonly created_at: Date; readonly call_id: string } | undefined
}

/** Newest first. */
export async function list(
  db: Db,
  { project_id, session_id, slug, status, limit, before }: ListedCalls,
): Promise<ConnectorCallRow[]> {
  let query = db.selectFrom('connector_calls').selectAll().where('project_id', '=', project_id)
  if (session_id !== undefined) query = query.where('session_id', '=', session_id)
  if (slug !== undefined) query = query.where('slug', '=', slug)
  if (status !== undefined) query = query.where('status', '=', status)
  if (before !== undefined)
    query = query.where(sql<boolean>`(created_at, call_id) < (${before.created_at}, ${before.call_id}::uuid)`)
  return query.orderBy('created_at', 'desc').orderBy('call_id', 'desc').limit(limit).execute()
}

/** Columns that change beside the status, and what the row must still be. */
interface Change {
  readonly set?: Omit<Updateable<CallTable>, 'status'>
  /** Only as long as this attempt has it. */
  readonly attempt_id?: string
}

/** The call after `event`; undefined when its status, or its attempt, does not accept that any more. */
export async function apply(
  tx: Db,
  call_id: string,
  event: CallEvent,
  now: Date,
  { set = {}, attempt_id }: Change = {},
): Promise<ConnectorCallRow | undefined> {
  const status = callMachine.to(event)
  const has_ended =
    callMachine.events.every((next) => !callMachine.accepts(status, next)) || status === 'unknown'
  let query = tx
    .updateTable('connector_calls')
    .set({ status, updated_at: now, ...(has_ended ? { ended_at: now } : {}), ...set })
    .where('call_id', '=', call_id)
    .where('status', 'in', callMachine.from(event))
  if (attempt_id !== undefined) query = query.where('attempt_id', '=', attempt_id)
  const row = await query.returningAll().executeTakeFirst()
  if (row !== undefined) await notify(tx, 'connector_call', { call_id })
  return row
}

/** The attempt begins anew under the same key: what it sent before is as good as not sent. */
export async function restartAttempt(
  db: Db,
  { call_id, attempt_id }: Pick<ConnectorCallRow, 'call_id' | 'attempt_id'>,
  next: { readonly attempt_id: string; readonly now: Date },
): Promise<ConnectorCallRow | undefined> {
  return db
    .updateTable('connector_calls')
    .set((eb) => ({ attempt_id: next.attempt_id, fence: eb('fence', '+', 1), updated_at: next.now }))
    .where('call_id', '=', call_id)
    .where('attempt_id', '=', attempt_id)
    .where('status', '=', 'executing')
    .returningAll()
    .executeTakeFirst()
}

/** Calls that are owed work and have been quiet since, oldest first: by `connector_calls_open`. */
export async function listQuiet(db: Db, quiet_since: Date, limit: number): Promise<ConnectorCallRow[]> {
  return db
    .selectFrom('connector_calls')
    .selectAll()
    .where('status', 'in', ['approved', 'executing'])
    .where('updated_at', '<', quiet_since)
    .orderBy('updated_at')
    .limit(limit)
    .execute()
}

/** Its caller takes the answer itself, and has until `owed_at` to read it: false where it was delivered before. */
export async function takeInline(
  db: Db,
  call_id: string,
  { now, owed_at }: { readonly now: Date; readonly owed_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connector_calls')
    .set({ delivery: 'inline', delivery_owed_at: owed_at, updated_at: now })
    .where('call_id', '=', call_id)
    .where('delivery', 'in', ['owed', 'inline'])
    .where('delivered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The answer reached its caller, unless its prompt was in the queue before; or its prompt is. */
export async function markDelivered(
  db: Db,
  call_id: string,
  delivery: 'inline' | 'prompt',
  now: Date,
): Promise<void> {
  await db
    .updateTable('connector_calls')
    .set({ delivery, delivered_at: now, updated_at: now })
    .where('call_id', '=', call_id)
    .where('delivered_at', 'is', null)
    .execute()
}

/** Ended calls of a session whose answers were read in its sandbox since then, oldest first. */
export async function listReadSince(
  db: Db,
  session_id: string,
  since: Date,
): Promise<Pick<ConnectorCallRow, 'call_id' | 'slug' | 'action' | 'status'>[]> {
  return db
    .selectFrom('connector_calls')
    .select(['call_id', 'slug', 'action', 'status'])
    .where('session_id', '=', session_id)
    .where('delivery', '=', 'inline')
    .where('ended_at', '>=', since)
    .orderBy('ended_at')
    .orderBy('call_id')
    .execute()
}

/** Ended calls whose answer no caller took in time, and those whose taking did not finish. */
export async function listUndelivered(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('connector_calls')
    .select('call_id')
    .where('delivery_owed_at', '<=', now)
    .where('delivery', 'in', ['owed', 'inline'])
    .where('delivered_at', 'is', null)
    .orderBy('delivery_owed_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.call_id)
}

/** Forgets arguments and results: of what was delivered before one time, and of all that ended before another. */
export async function eraseBodies(
  db: Db,
  { delivered_before, ended_before }: { readonly delivered_before: Date; readonly ended_before: Date },
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update connector_calls set sealed_request = null, sealed_result = null where call_id in (
      select call_id from connector_calls where sealed_request is not null and ended_at is not null
        and (delivered_at < ${delivered_before} or ended_at < ${ended_before})
      order by updated_at limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

export async function removeEnded(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('connector_calls')
    .where('call_id', 'in', (eb) =>
      eb
        .selectFrom('connector_calls')
        .select('call_id')
        .where('ended_at', '<', before)
        .where('status', '!=', 'unknown')
        .orderBy('ended_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Calls that a restore found approved or under way: they may have happened since the rows were read. */
export async function loseRestored(db: Db, now: Date, message: string): Promise<number> {
  const event = 'restore'
  const { numUpdatedRows } = await db
    .updateTable('connector_calls')
    .set({
      ...{ status: callMachine.to(event), reason: 'outcome_unknown', message },
      ...{ ended_at: now, updated_at: now },
    })
    .where('status', 'in', callMachine.from(event))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
