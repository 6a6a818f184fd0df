import { browserSessions, signIns } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityContext } from '../context.ts'
import { recordSignIn } from './audit.ts'
import { requireOwnHand } from './auth-user.ts'

export type SignOutScope = 'local' | 'global' | 'others'

/** Ends this sign-in, all of the person's, or all but this one. It holds from the next request on. */
export async function signOut(
  ctx: Pick<IdentityContext, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  { scope }: { readonly scope: SignOutScope },
): Promise<void> {
  const { user_id, sign_in, browser_session_id: browser } = requireOwnHand(ctx)
  if (scope !== 'global' && !sign_in) {
    throw new ServiceError(
      'invalid_request',
      'This token is not that of a sign-in; only scope global applies',
    )
  }
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    if (scope === 'local' && sign_in) await signIns.end(tx, sign_in.sign_in_id, 'sign_out', now)
    else {
      const keep = scope === 'others' ? sign_in?.sign_in_id : undefined
      await signIns.endOfUser(tx, { user_id, keep }, 'sign_out', now)
      await browserSessions.endOfUser(tx, { user_id, keep: scope === 'others' ? browser : undefined })
    }
    await recordSignIn(ctx, tx, { user_id, action: 'signOut', details: { scope } })
  })
}
