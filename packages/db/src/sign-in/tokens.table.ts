import type { Generated, Selectable } from 'kysely'

export interface TokenTable {
  token_id: string
  /** `oauth` is kept free for credentials that nothing mints yet. */
  kind: 'user' | 'project' | 'session' | 'gateway' | 'service' | 'oauth' | 'scim'
  token_hash: Buffer
  display_prefix: string
  name: string
  /** The user that it acts as; for a service account's key, the service account; for a directory's token, its minter. */
  user_id: string
  /** The account of a service account's key, or of a directory's token. */
  account_id: Generated<string | null>
  project_id: string | null
  session_id: string | null
  /** The push token of provision: may move the default branch with git. */
  default_branch: Generated<boolean>
  /** The key in whose place it came. */
  rotated_from: Generated<string | null>
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
  created_at: Date
}

export type TokenRow = Selectable<TokenTable>
