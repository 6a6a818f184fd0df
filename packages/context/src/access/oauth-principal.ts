import type { UserPrincipal } from '@svc/access'
import { oauth } from '@svc/db'
import { RefusedCredential } from './refused-credential.ts'
import type { BaseContext } from '../context.ts'

/** The scope for everything that the person may do; without it a token only tells who its owner is. */
export const fullScope = 'svc'

/** The person who approved the client, as long as the approval stands; undefined for a token that was never handed out. */
export async function oauthPrincipal(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  token_hash: Buffer,
): Promise<{ readonly principal: UserPrincipal; readonly ended: boolean } | undefined> {
  const now = ctx.now()
  const row = await oauth.findBearer(ctx.db, token_hash, now)
  if (!row || row.user_id === null || row.client_id === null) return undefined
  const ended = row.revoked_at !== null || row.expires_at <= now || row.mfa === null
  const scopes = (row.scope ?? '').split(' ').filter((name) => name !== '')
  const { user_id, client_id, artefact_id, mfa, by_token } = row
  const mfa_needed_by = mfa ? [] : row.mfa_accounts
  const sso_needed_by = by_token ? [] : row.sso_accounts
  const facts = { client_id, scopes, mfa_needed_by, sso_needed_by }
  return { principal: { type: 'user', user_id, token_id: artefact_id, oauth: facts }, ended }
}

/** Without the scope a token tells who the person is, and no more. */
export function requireFullScope(principal: UserPrincipal): void {
  if (principal.oauth === undefined || principal.oauth.scopes.includes(fullScope)) return
  const message = `insufficient_scope: this token lacks the scope ${fullScope}; ask for it when you sign in`
  throw new RefusedCredential('insufficient_scope', message, principal)
}
