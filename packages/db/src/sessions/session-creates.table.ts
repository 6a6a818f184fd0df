import type { Capability } from '@svc/facts'
import type { FrozenHarness } from '@svc/harness'
import type { SessionOrigin } from '@svc/session'
import type { GeneratedAlways, JSONColumnType, Selectable } from 'kysely'
import type { RequestedSession } from './sessions.table.ts'

/** Everything of a session that was settled when it was asked for. */
export interface WaitingSession {
  readonly base_ref: string
  readonly agent_name: string
  readonly agent_grant: readonly Capability[]
  readonly merge_granted: boolean
  readonly model: string | null
  readonly name: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly origin: SessionOrigin
  readonly origin_ref: string | null
  readonly labels: readonly string[]
  readonly parent_session_id: string | null
  /** Absent on what waits from before there was this. */
  readonly ancestor_session_ids?: readonly string[]
  readonly requested: RequestedSession
  /** The harness that is its agent; absent where its runtime has a server of its own. */
  readonly harness?: FrozenHarness
}

/** A create that waits for room in its account. */
export interface SessionCreateTable {
  command_id: string
  session_id: string
  account_id: string
  project_id: string
  position: GeneratedAlways<number>
  session: JSONColumnType<WaitingSession, string, never>
  initial_prompt: string | null
  created_by: string
  created_at: Date
}

export type SessionCreateRow = Selectable<SessionCreateTable>
