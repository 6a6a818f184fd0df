import type { Generated, Selectable } from 'kysely'

export const warmStates = ['warming', 'ready', 'claimed', 'gone'] as const

export interface WarmSandboxTable {
  warm_id: string
  /** The pool: one deployment's, made by one provider in one place. */
  pool: string
  /** The recipe that it was made from; another version has another recipe. */
  recipe: string
  state: (typeof warmStates)[number]
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

export type WarmSandboxRow = Selectable<WarmSandboxTable>
/** One that answered. */
export type ReadyWarmSandbox = WarmSandboxRow & { readonly external_id: string; readonly endpoint: string }
