import { type AuditTrail, forbidden, recordAudit, tokenHash } from '@svc/context'
import { accounts, oauth } from '@svc/db'
import type { OAuthContext } from './context.ts'

export interface Approval extends oauth.ApprovalProof {
  readonly user_id: string
  readonly client_id: string
  /** As the client calls itself. */
  readonly client_name: string
  readonly scope: string
  /** The approval that was saved, null when the person said no. */
  readonly grant_id: string | null
}

/** Leaves an event in the log of the person's first account; what is approved acts as them from now on. */
export async function noteApproval(
  ctx: OAuthContext & { readonly trail?: AuditTrail },
  approval: Approval,
): Promise<void> {
  const { user_id, client_id, client_name, scope, grant_id } = approval
  const [home] = await accounts.listMemberships(ctx.db, user_id)
  if (!home)
    throw forbidden('account.member', 'This person belongs to no account; ask for an invitation to one first')
  const principal = { type: 'user', user_id, token_id: client_id } as const
  await ctx.db.transaction().execute(async (tx) => {
    await oauth.touchClient(tx, client_id, ctx.now())
    if (grant_id !== null) await oauth.markProof(tx, tokenHash(grant_id), approval)
    await recordAudit({ ...ctx, principal }, tx, {
      account_id: home.account_id,
      action: 'approveOAuthClient',
      target: `oauth/clients/${client_id}`,
      outcome: grant_id === null ? 'denied' : 'success',
      details: { client_id, client_name, scope },
    })
  })
}
