import type { Selectable } from 'kysely'

export type SignInMethod = 'password' | 'signup' | 'magic_link' | 'recovery' | 'sso'
export type SignInEndReason = 'sign_out' | 'reuse' | 'password_changed' | 'mfa_changed' | 'revoked'
export type SignInCodePurpose = 'signup' | 'magic_link' | 'recovery' | 'sso'

/** One sign-in of a person: a family of access and refresh tokens that ends as a whole. */
export interface SignInTable {
  sign_in_id: string
  user_id: string
  method: SignInMethod
  mfa: boolean
  /** The account whose own provider signed the person in. */
  sso_account_id: string | null
  created_at: Date
  /** No refresh reaches further than this. */
  expires_at: Date
  ended_at: Date | null
  end_reason: SignInEndReason | null
}

export interface SignInTokenTable {
  token_hash: Buffer
  sign_in_id: string
  kind: 'access' | 'refresh'
  created_at: Date
  expires_at: Date
  /** The time at which a refresh token was exchanged for the next one. */
  spent_at: Date | null
}

/** A code and a link that were sent to an address. There is one of a purpose for an address; a new one replaces it. */
export interface SignInCodeTable {
  code_id: string
  purpose: SignInCodePurpose
  /** In lower case. */
  email: string
  /** False for the row of an address that was sent nothing: it is asked for like any other, and never fits. */
  usable: boolean
  /** Name and password of a sign-up, for the user that it makes once its address is confirmed. */
  name: string | null
  password_hash: string | null
  /** Of a sign-in by the provider of an account. */
  sso_account_id: string | null
  sealed_data_key: string
  sealed_pepper: string
  code_hash: Buffer
  link_hash: Buffer
  attempts_left: number
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export type SignInRow = Selectable<SignInTable>
export type SignInTokenRow = Selectable<SignInTokenTable>
export type SignInCodeRow = Selectable<SignInCodeTable>
