import { recordAudit, requireAccount, requireUser } from '@svc/context'
import { accounts, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityContext } from '../context.ts'

export async function getSignInRules(
  ctx: Pick<IdentityContext, 'db' | 'principal'>,
  input: { account_id: string },
) {
  const { mfa_required } = await requireAccount(ctx, input.account_id, 'member')
  return { mfa_required }
}

/** Sets whether sign-ins that lack a second factor stay outside the account. It holds from their next request on. */
export async function setSignInRules(
  ctx: Pick<IdentityContext, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: { account_id: string; mfa_required: boolean },
) {
  const { account_id, mfa_required } = input
  await requireAccount(ctx, account_id, 'admin')
  const user = await userCredentials.find(ctx.db, requireUser(ctx).user_id)
  if (mfa_required && !user?.two_factor) {
    throw new ServiceError(
      'conflict',
      'Turn two-factor on for yourself first, or you would lock yourself out',
    )
  }
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await accounts.update(tx, account_id, { mfa_required }))) {
      throw new ServiceError('not_found', 'There is no such account; list those that you belong to')
    }
    await recordAudit(ctx, tx, {
      account_id,
      action: 'setSignInRules',
      target: `accounts/${account_id}/sign-in-rules`,
      details: { mfa_required },
    })
    return { mfa_required }
  })
}
