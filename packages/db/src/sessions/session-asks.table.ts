import type { AskKind } from '@svc/facts'
import type { AskState } from '@svc/session'
import type { JSONColumnType } from 'kysely'

/** The tool call that waits for a permission. */
export interface AskedTool {
  readonly call_id: string | null
  readonly tool: string | null
  readonly input: unknown
}

/** A question or a permission that an agent asked for, written in the transaction of its event. */
export interface SessionAskTable {
  session_id: string
  request_id: string
  project_id: string
  kind: AskKind
  state: AskState
  /** As the event has it, whole. */
  body: JSONColumnType<Readonly<Record<string, unknown>>, string, string>
  tool: JSONColumnType<AskedTool | null, string | null, string | null>
  asked_at: Date
  expires_at: Date | null
  ended_at: Date | null
}
