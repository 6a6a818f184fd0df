import type { SealedPlace } from '@svc/context'
import { oauthKeysPlace } from '../oauth/keys.ts'
import { warmKeyPlace } from '../sandboxes/warm/pool.ts'
import { accountSsoPlace } from '../sign-in/sso/client-secret.ts'
import { codePlace } from '../sign-in/codes.ts'
import { totpPlace } from '../sign-in/second-factor.ts'
import { projectPlace } from '../projects/project-vault.ts'

/**
 * Every column that holds a data key. All else that is sealed is sealed with one of these, so that a new master key
 * changes these rows alone. A test dumps a database that holds something of everything and finds no other.
 */
export const sealedPlaces: readonly SealedPlace[] = [
  { table: 'projects', id_column: 'project_id', column: 'sealed_data_key', aad: projectPlace },
  { table: 'user_totp', id_column: 'user_id', column: 'sealed_data_key', aad: totpPlace },
  { table: 'account_sso', id_column: 'account_id', column: 'sealed_data_key', aad: accountSsoPlace },
  { table: 'sign_in_codes', id_column: 'code_id', column: 'sealed_data_key', aad: codePlace },
  { table: 'warm_sandboxes', id_column: 'warm_id', column: 'sealed_data_key', aad: warmKeyPlace },
  { table: 'oauth_keys', id_column: 'singleton', column: 'sealed_key', aad: () => oauthKeysPlace },
]
