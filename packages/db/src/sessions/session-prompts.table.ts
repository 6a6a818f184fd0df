import type { PromptSource, PromptState } from '@svc/session'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'

export interface SessionPromptTable {
  prompt_id: string
  session_id: string
  position: GeneratedAlways<number>
  text: string
  source: PromptSource
  state: Generated<PromptState>
  agent: string | null
  model: string | null
  error: string | null
  /** The agent's own word on why the turn ended; null where it gave none. */
  stop_reason: Generated<string | null>
  dedupe_key: string | null
  /** The trace of the request that put it, as W3C Trace Context writes it; null where none was kept. */
  traceparent: Generated<string | null>
  created_by: string
  created_at: Date
  updated_at: Date
}

export type SessionPromptRow = Selectable<SessionPromptTable>
