import type { OAuthFacts, UserPrincipal } from '@svc/access'
import { oauth } from '@svc/db'
import { RefusedCredential } from './refused-credential.ts'
import type { BaseContext } from '../context.ts'

type Approval = Pick<oauth.BearerRow, 'mfa' | 'by_token' | 'mfa_accounts' | 'sso_accounts'>

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
  const { user_id, client_id, artefact_id, scope } = row
  const oauth_facts = oauthFacts({ client_id, scope }, row)
  return { principal: { type: 'user', user_id, token_id: artefact_id, oauth: oauth_facts }, ended }
}

/** The rights that an approval gives to its app. */
export function oauthFacts(
  { client_id, scope }: { readonly client_id: string; readonly scope: string | null },
  { mfa, by_token, mfa_accounts, sso_accounts }: Approval,
): OAuthFacts {
  const scopes = (scope ?? '').split(' ').filter((name) => name !== '')
  return {
    client_id,
    scopes,
    mfa_needed_by: mfa ? [] : mfa_accounts,
    sso_needed_by: by_token ? [] : sso_accounts,
  }
}

/** Without the scope a token tells who the person is, and no more. */
export function requireFullScope(principal: UserPrincipal): void {
  if (principal.oauth === undefined || principal.oauth.scopes.includes(fullScope)) return
  const message = `insufficient_scope: this token lacks the scope ${fullScope}; ask for it when you sign in`
  throw new RefusedCredential('insufficient_scope', message, principal)
}
