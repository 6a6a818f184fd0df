import type { SealedPlace } from '@svc/context'
import { accountSsoPlace, codePlace, oauthKeysPlace, totpPlace } from './sealed-at.ts'

/** Columns of the identity that hold a data key. All else that it seals is sealed with one of these. */
export const identityPlaces: readonly SealedPlace[] = [
  { table: 'user_totp', id_column: 'user_id', column: 'sealed_data_key', aad: totpPlace },
  { table: 'account_sso', id_column: 'account_id', column: 'sealed_data_key', aad: accountSsoPlace },
  { table: 'sign_in_codes', id_column: 'code_id', column: 'sealed_data_key', aad: codePlace },
  { table: 'oauth_keys', id_column: 'singleton', column: 'sealed_key', aad: () => oauthKeysPlace },
]
