import { type AuditTrail, recordAudit } from '@svc/context'
import { accounts, oauth } from '@svc/db'
import { dashboardClient } from './clients.ts'
import type { OAuthContext } from './context.ts'

type Ending = Pick<OAuthContext, 'db' | 'now' | 'newId'> & { readonly trail?: AuditTrail }

/**
 * Ends everything that came of one approval, and leaves an event in the log of the person who gave it. `reuse`: a code
 * or a refresh token came a second time, so another party has it too.
 */
export async function endApproval(
  ctx: Ending,
  grant_hash: Buffer,
  reason: 'revoked' | 'reuse',
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const ended = await oauth.removeFamily(tx, grant_hash, ctx.now())
    const [home] = ended === undefined ? [] : await accounts.listMemberships(tx, ended.user_id)
    if (ended === undefined || home === undefined) return
    const { user_id, client_id } = ended
    // A person who signs out of the dashboard leaves the computer: the next click there has to ask who it is.
    if (reason === 'revoked' && client_id === dashboardClient)
      await oauth.removeBrowsers(tx, user_id, ctx.now())
    const principal = { type: 'user', user_id, token_id: client_id } as const
    await recordAudit({ ...ctx, principal }, tx, {
      account_id: home.account_id,
      action: 'revokeOAuthToken',
      target: `oauth/clients/${client_id}`,
      outcome: reason === 'reuse' ? 'denied' : 'success',
      details: { client_id, reason },
    })
  })
}
