import type { Generated, Selectable } from 'kysely'

export interface TokenTable {
  token_id: string
  kind: 'user' | 'project' | 'session' | 'gateway'
  token_hash: Buffer
  display_prefix: string
  name: string
  user_id: string
  project_id: string | null
  session_id: string | null
  /** The push token of provision: may move the default branch with git. */
  default_branch: Generated<boolean>
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
  created_at: Date
}

export type TokenRow = Selectable<TokenTable>
