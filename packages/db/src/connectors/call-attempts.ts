import { type CallEvent, callMachine } from '@svc/connector/states'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'
import { unflushed } from './unflushed.ts'
import { appended } from '../sessions/session-events.ts'
import { callColumnsOf } from './call-columns.ts'
import type { NewCall } from './connector-calls.ts'
import type { ConnectorCallRow } from './connectors.table.ts'

const ownColumns = callColumnsOf('connector_calls')

/**
 * The row of a call that runs at once; undefined when its key was used, or `max_running` of its project run. Nothing has left when it is written, and `markSent`
 * waits for the disk for both: it waits itself only where its caller is to learn of it before that.
 */
export async function begin(
  db: Db,
  row: NewCall,
  { flushed, max_running }: { readonly flushed: boolean; readonly max_running: number },
): Promise<ConnectorCallRow | undefined> {
  const columns = Object.keys(row).map((column) => sql.ref(column))
  const { rows } = await sql<ConnectorCallRow & { readonly unflushed?: string }>`${prepared}
    insert into connector_calls (${sql.join(columns)}) select ${sql.join(Object.values(row))}
    where running_connector_calls(${row.project_id}) < ${max_running}
    on conflict do nothing returning ${ownColumns}${flushed ? sql`` : sql`, ${unflushed}`}`.execute(db)
  const [found] = rows
  if (found === undefined) return undefined
  const { unflushed: _, ...begun } = found
  return begun
}

/** Written, and committed, before the first byte of the request leaves. False when another attempt has it by now. */
export async function markSent(db: Db, call_id: string, attempt_id: string, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`${prepared}
    update connector_calls set sent_at = ${now}, updated_at = ${now}
    where call_id = ${call_id} and attempt_id = ${attempt_id} and status = 'executing'`.execute(db)
  return numAffectedRows > 0n
}

/** The end of an attempt, and the entry of it in the log of its session. */
export interface CallEnd {
  readonly call_id: string
  readonly attempt_id: string | null
  readonly session_id: string | null
  readonly event: Extract<CallEvent, 'succeed' | 'fail' | 'lose' | 'refuse'>
  readonly set: Pick<
    ConnectorCallRow,
    'reason' | 'message' | 'upstream_status' | 'bytes_out' | 'bytes_in' | 'ms' | 'sealed_result'
  > &
    Pick<ConnectorCallRow, 'delivery' | 'delivery_owed_at'>
  readonly logged: { readonly type: string; readonly payload: Readonly<Record<string, unknown>> }
}

interface EndedMore {
  readonly notified: unknown
  readonly notified_session: unknown
  readonly events: number
}

/** The status in which such an attempt ends. */
export const endOf = (event: CallEnd['event']) => callMachine.to(event)

/**
 * Status, result, entry in the log and word to those who wait, in one statement. Undefined when another attempt has the call
 * by now. `events` is the number of entries: no session, no entry.
 */
export async function end(
  db: Db,
  { call_id, attempt_id, session_id, event, set, logged }: CallEnd,
  now: Date,
): Promise<{ readonly row: ConnectorCallRow; readonly events: number } | undefined> {
  const { reason, message, upstream_status, bytes_out, bytes_in, ms, sealed_result } = set
  const { rows } = await sql<ConnectorCallRow & EndedMore>`${prepared}
    with ended as (
      update connector_calls set status = ${endOf(event)}, updated_at = ${now}, ended_at = ${now}, reason = ${reason},
        message = ${message}, upstream_status = ${upstream_status}, bytes_out = ${bytes_out}, bytes_in = ${bytes_in},
        ms = ${ms}, sealed_result = ${sealed_result}, delivery = coalesce(${set.delivery}, delivery),
        delivery_owed_at = coalesce(${set.delivery_owed_at}, delivery_owed_at)
      where call_id = ${call_id} and attempt_id is not distinct from ${attempt_id}::uuid
        and status = any(${callMachine.from(event)}::text[])
      returning ${ownColumns}
    ), ${appended(sql`ended`, { ...logged, at: now })}
    select ${callColumnsOf('ended')}, (select count(*) from written)::int as events,
      pg_notify('svc_connector_call', ${JSON.stringify({ call_id })}) as notified,
      (select pg_notify('svc_session', ${JSON.stringify({ session_id })}) from counted) as notified_session
    from ended`.execute(db)
  const [found] = rows
  if (found === undefined) return undefined
  const { notified: _, notified_session: __, events, ...row } = found
  return { row, events }
}

/**
 * Notes that the answer reached its caller, unless its prompt was in the queue before. It does not wait for the disk: a note
 * that is lost with the server costs a message that says so.
 */
export async function noteTaken(db: Db, call_id: string, now: Date): Promise<void> {
  await sql`${prepared}
    update connector_calls set delivery = 'inline', delivered_at = ${now}, updated_at = ${now}
    where call_id = ${call_id} and delivered_at is null returning ${unflushed}`.execute(db)
}
