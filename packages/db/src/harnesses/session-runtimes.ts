import type { RuntimeState } from '@svc/harness'
import { liveSessionStatuses } from '@svc/facts'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { SessionRuntimeRow } from './harnesses.table.ts'

export async function find(db: Db, session_id: string): Promise<SessionRuntimeRow | undefined> {
  return db.selectFrom('session_runtimes').selectAll().where('session_id', '=', session_id).executeTakeFirst()
}

/** An agent's word on itself. A part that is left out keeps its value. */
export interface RuntimeInfo {
  readonly epoch: number
  readonly state: RuntimeState
  readonly agent_info?: unknown
  readonly protocol_version?: number | null | undefined
  readonly capabilities?: unknown
  readonly config_options?: unknown
  readonly commands?: unknown
}

/** Keeps what a session's agent said of itself; a word of an earlier process changes nothing. */
export async function note(db: Db, session_id: string, info: RuntimeInfo, now: Date): Promise<void> {
  const { agent_info, protocol_version, capabilities, config_options, commands } = info
  const given = <T>(value: T | undefined, column: string) =>
    value === undefined ? sql`${sql.ref(column)}` : sql`${jsonb(value)}::jsonb`
  await sql`
    update session_runtimes set
      state = ${info.state},
      epoch = ${info.epoch},
      agent_info = ${given(agent_info, 'agent_info')},
      protocol_version = ${protocol_version === undefined ? sql`protocol_version` : sql`${protocol_version}::integer`},
      capabilities = ${given(capabilities, 'capabilities')},
      config_options = ${given(config_options, 'config_options')},
      commands = ${given(commands, 'commands')},
      updated_at = ${now}
    where session_id = ${session_id} and epoch <= ${info.epoch}`.execute(db)
}

/** The live sessions that a version of a harness is needed by. */
export async function liveOf(db: Db, harness: string, version: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('session_runtimes')
    .innerJoin('project_sessions', 'project_sessions.session_id', 'session_runtimes.session_id')
    .select('session_runtimes.session_id')
    .where('harness', '=', harness)
    .where('version', '=', version)
    .where('project_sessions.deleted_at', 'is', null)
    .where('project_sessions.status', 'in', liveSessionStatuses)
    .limit(100)
    .execute()
  return rows.map(({ session_id }) => session_id)
}
