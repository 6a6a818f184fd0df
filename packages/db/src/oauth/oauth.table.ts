import type { Generated, Selectable } from 'kysely'

export const oauthModels = [
  'Session',
  'Interaction',
  'Grant',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
  'DeviceCode',
] as const
export type OAuthModel = (typeof oauthModels)[number]

export interface OAuthKeyTable {
  singleton: Generated<boolean>
  sealed_key: string
  sealed_value: string
  created_at: Date
}

export interface OAuthClientTable {
  client_id: string
  /** As RFC 7591 names it. */
  metadata: unknown
  created_at: Date
  last_used_at: Date | null
}

export interface OAuthArtefactTable {
  artefact_id: string
  model: OAuthModel
  /** SHA-256 of what a client or a browser holds. */
  id_hash: Buffer
  /** The approval that it belongs to; whatever shares one is revoked together. */
  grant_hash: Buffer | null
  /** Of a session its public id, of a device code what a person types. */
  lookup_hash: Buffer | null
  user_id: string | null
  client_id: string | null
  /** Names with spaces between. */
  scope: string | null
  sealed: string
  /** Of an approval, whether it was given with a second factor. */
  mfa: Generated<boolean>
  /** And whether with a token that the person minted. */
  by_token: Generated<boolean>
  /** And the account whose own provider signed the person in. */
  sso_account_id: Generated<string | null>
  /** The time at which a device last asked, and the seconds that it has to wait between. */
  polled_at: Date | null
  poll_seconds: Generated<number>
  consumed_at: Date | null
  /** Only access tokens stay after they were revoked, so that they answer why they are refused. */
  revoked_at: Date | null
  created_at: Date
  expires_at: Date
}

export type OAuthKeyRow = Selectable<OAuthKeyTable>
export type OAuthClientRow = Selectable<OAuthClientTable>
export type OAuthArtefactRow = Selectable<OAuthArtefactTable>
