import type { WarmSandboxState } from '@svc/session'
import type { Generated, Selectable } from 'kysely'

export interface WarmSandboxTable {
  warm_id: string
  /** The pool: one deployment's, made by one provider in one place. */
  pool: string
  /** The recipe that it was made from; another version has another recipe. */
  recipe: string
  state: WarmSandboxState
  sealed_data_key: string
  /** The one-time key that its daemon takes a session with. */
  sealed_key: string
  external_id: string | null
  endpoint: string | null
  /** The whole endpoint, where there is more to it than an address. */
  sealed_endpoint: Generated<string | null>
  /** The session that has claimed it, as long as its daemon has not been told. */
  session_id: string | null
  created_at: Date
  updated_at: Date
}

/** Input of each event. The new state follows from the event. */
export interface WarmSandboxChanges {
  readonly wait: Readonly<Pick<ReadyWarmSandbox, 'external_id' | 'endpoint' | 'sealed_endpoint'>>
  readonly claim: { readonly session_id: string }
  readonly give_up: Readonly<Record<never, never>>
}

export type WarmSandboxRow = Selectable<WarmSandboxTable>
/** One that answered. */
export type ReadyWarmSandbox = WarmSandboxRow & { readonly external_id: string; readonly endpoint: string }
