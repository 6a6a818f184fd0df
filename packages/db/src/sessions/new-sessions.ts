import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import { prepared } from '../kit/prepared.ts'
import { columnsOf, valuesOf } from '../kit/record.ts'
import type { SessionRuntimeTable } from '../harnesses/harnesses.table.ts'
import type { SandboxTable } from '../sandboxes/sandboxes.table.ts'
import type { NewSessionEvent } from './session-events.ts'
import type { SessionPromptTable } from './session-prompts.table.ts'
import type { SessionTable } from './sessions.table.ts'
import type { TriggerSessionTable } from '../triggers/triggers.table.ts'

/** Every row of a session that begins; each record names the same columns in the same order at every call. */
export interface NewSessionRows {
  readonly session: Insertable<SessionTable>
  readonly sandbox: Insertable<SandboxTable>
  /** The program that is its agent. */
  readonly runtime: Insertable<SessionRuntimeTable>
  readonly prompt: Insertable<SessionPromptTable> | null
  /** The trigger that opens it. */
  readonly trigger: TriggerSessionTable | null
  /** The first events of its log; all of one instant. */
  readonly events: readonly NewSessionEvent[]
  /** True when a caller may wait for it under its id already. */
  readonly notifies: boolean
}

/**
 * Writes a session with its sandbox record, its prompt and its events in one statement; false when there is one with its
 * id, or a create that waits with it. It notifies only when `notifies`, since commits that notify wait for each other.
 */
export async function insert(tx: Db, rows: NewSessionRows): Promise<boolean> {
  const { session, sandbox, runtime, prompt, trigger, events, notifies } = rows
  const { session_id } = session
  const counted = { ...session, last_event_seq: events.length, last_event_at: events.at(-1)?.at ?? null }
  const log = events.map(
    ({ type, at, payload }, index) =>
      sql`(${index + 1}::bigint, ${type}, ${at}::timestamptz, ${jsonb(payload)}::jsonb)`,
  )
  const { rows: written } = await sql`${prepared}
    with session as (
      insert into project_sessions (${columnsOf(counted)}) select ${valuesOf(counted)}
      where not exists (select from session_creates where session_id = ${session_id})
      on conflict (session_id) do nothing returning session_id
    ), sandbox as (
      insert into session_sandboxes (${columnsOf(sandbox)}) select ${valuesOf(sandbox)} from session
    ), runtime as (
      insert into session_runtimes (${columnsOf(runtime)}) select ${valuesOf(runtime)} from session
    ), events as (
      insert into session_events (session_id, seq, type, at, payload)
      select session_id, seq, type, at, payload from session, (values ${sql.join(log)}) as log (seq, type, at, payload)
    )${
      prompt === null
        ? sql``
        : sql`, prompt as (
      insert into session_prompts (${columnsOf(prompt)}) select ${valuesOf(prompt)} from session
    )`
    }${
      trigger === null
        ? sql``
        : sql`, trigger as (
      insert into trigger_sessions (${columnsOf(trigger)}) select ${valuesOf(trigger)} from session
    )`
    }
    select session_id${notifies ? sql`, pg_notify('svc_session', ${JSON.stringify({ session_id })})` : sql``} from session`.execute(
    tx,
  )
  return written.length > 0
}
