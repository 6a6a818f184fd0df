import { tokenPrefix } from '@svc/access'
import { tokenHash } from '@svc/context'
import { signIns, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { recordSignIn } from './audit.ts'
import type { SignInContext } from './context.ts'
import { issueTokens, presentPerson } from './issue.ts'
import type { Verified } from './codes/verify.ts'

const action = 'refreshSignIn'

/**
 * The next pair of tokens for a refresh token, which works once. One that comes a second time was copied: the whole
 * sign-in ends, whichever of the two came first.
 */
export async function refreshSignIn(
  ctx: SignInContext,
  { refresh_token }: { readonly refresh_token: string },
): Promise<Verified> {
  const hash = tokenPrefix(refresh_token) === 'svc_urt_' ? tokenHash(refresh_token) : null
  const found = hash === null ? undefined : await signIns.findByToken(ctx.db, hash, 'refresh')
  if (hash === null || !found)
    throw new ServiceError('refresh_token_not_found', 'There is no such refresh token; sign in again')
  const now = ctx.now()
  if (found.ended_at !== null || found.expires_at <= now) throw over()
  if (found.spent_at !== null) throw await reused(ctx, found)
  if (found.token_expires_at <= now) throw over()
  const { user_id, sign_in_id } = found
  const answer = await ctx.db.transaction().execute(async (tx) => {
    if (!(await signIns.spend(tx, hash, now))) return null
    const session = await issueTokens(ctx, tx, found)
    const user = await userCredentials.find(tx, user_id)
    if (!user) throw over()
    await recordSignIn(ctx, tx, { user_id, sign_in_id, action, details: { sign_in_id } })
    return { session, user: presentPerson(user) }
  })
  // Another request exchanged it in the meantime, or the sign-in ended: a second look tells which.
  if (answer === null) {
    const again = await signIns.findByToken(ctx.db, hash, 'refresh')
    throw again && again.ended_at === null ? await reused(ctx, found) : over()
  }
  return answer
}

async function reused(
  ctx: SignInContext,
  { user_id, sign_in_id }: Pick<signIns.FoundSignIn, 'user_id' | 'sign_in_id'>,
): Promise<ServiceError> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await signIns.end(tx, sign_in_id, 'reuse', ctx.now()))) return
    const details = { sign_in_id, reason: 'reuse' }
    await recordSignIn(ctx, tx, { user_id, sign_in_id, action, outcome: 'denied', details })
  })
  return new ServiceError(
    'refresh_token_already_used',
    'This refresh token was used before, so the sign-in has ended; sign in again',
  )
}

function over(): ServiceError {
  return new ServiceError('session_token_revoked', 'This sign-in has ended; sign in again')
}
