import { userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { countPasswordAttempt } from '../attempts.ts'
import { recordDenied, recordSignIn } from '../audit.ts'
import { plainEmail, type SignInContext } from '../context.ts'
import { openSignIn, presentPerson, type SignInPerson, type SignInSession } from '../issue.ts'
import { verifyPassword } from '@svc/vault/password'
import { proveSecondFactor } from '../two-factor/second-factor.ts'
import { deniedBySso, findEnforced, mayBreakGlass, ssoRequired } from '../sso/enforced.ts'

export interface PasswordSignIn {
  readonly email: string
  readonly password: string
  /** The second factor of a person who has one: a code of the app or a recovery code. */
  readonly totp_code?: string | undefined
  /** The client's address, by which wrong attempts are counted; null where there is none. */
  readonly ip: string | null
}

export interface SignedIn {
  readonly user_id: string
  readonly email: string
  readonly session: SignInSession
  readonly user: SignInPerson
  /** True when a second factor was proved. */
  readonly mfa: boolean
}

const action = 'signInWithPassword'

/**
 * Signs a person in. Throws `invalid_credentials`, `totp_required` (the password was right),
 * `over_request_rate_limit`. An address without a person costs the same work and gets the same answer as a wrong
 * password. `sso_required` for addresses whose account lets them in by its provider alone, but for its owners who give
 * both factors at once.
 */
export async function signInWithPassword(ctx: SignInContext, input: PasswordSignIn): Promise<SignedIn> {
  const email = plainEmail(input.email)
  const sso = await findEnforced(ctx, email)
  if (sso === null) return open(ctx, await prove(ctx, email, input))
  // The answer is the same whatever is wrong, and whether the person exists or not.
  const denied = () => deniedBySso(ctx, sso, email, action)
  if (input.totp_code === undefined) throw denied()
  const proved = await prove(ctx, email, input).catch((error: unknown) => {
    throw error instanceof ServiceError && error.code === 'invalid_credentials'
      ? ssoRequired(ctx, sso)
      : error
  })
  const { user, mfa } = proved
  if (!(await mayBreakGlass(ctx, sso, { user_id: user.user_id, mfa }))) throw denied()
  return open(ctx, proved)
}

interface Proved {
  readonly user: userCredentials.SignInUser
  readonly mfa: boolean
}

async function prove(ctx: SignInContext, email: string, input: PasswordSignIn): Promise<Proved> {
  const giveBack = await countPasswordAttempt(ctx, email, input.ip)
  const user = await userCredentials.findByEmail(ctx.db, email)
  if (!(await verifyPassword(user?.password_hash ?? null, input.password)) || !user) {
    if (user) recordDenied(ctx, { user_id: user.user_id, action, details: { reason: 'password' } })
    throw new ServiceError(
      'invalid_credentials',
      'The address or the password is wrong; check both and try again',
    )
  }
  await giveBack()
  const { user_id } = user
  const mfa = await proveSecondFactor(ctx, user, input.totp_code).catch((error: unknown) => {
    if (input.totp_code !== undefined)
      recordDenied(ctx, { user_id, action, details: { reason: 'second_factor' } })
    throw error
  })
  return { user, mfa }
}

async function open(ctx: SignInContext, { user, mfa }: Proved): Promise<SignedIn> {
  const { user_id } = user
  const session = await ctx.db.transaction().execute(async (tx) => {
    const opened = await openSignIn(ctx, tx, { user_id, method: 'password', mfa })
    const { sign_in_id } = opened
    await recordSignIn(ctx, tx, { user_id, sign_in_id, action, details: { sign_in_id, mfa } })
    return opened.session
  })
  return { user_id, email: user.email, session, user: presentPerson(user), mfa }
}
