import { type Db, scimUsers, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityBase } from '../../context.ts'
import { recordSignIn } from '../audit.ts'
import type { SignInContext } from '../context.ts'
import { createPerson, maySignUp } from '../create-person.ts'

/** The claims of a provider about a person; the address in lower case. */
export interface ProvedClaims {
  readonly iss: string
  readonly sub: string
  readonly email: string
  readonly name?: string | undefined
}

export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly user_id: string
}

/** The person behind the claims of a provider of the operator, who may be new here. */
export async function personOf(
  ctx: SignInContext & Pick<IdentityBase, 'settings'>,
  claims: ProvedClaims,
): Promise<{ readonly email: string }> {
  const identity = { issuer: claims.iss, subject: claims.sub }
  const known = await userCredentials.findByIdentity(ctx.db, identity)
  if (known) return known
  const user = await userCredentials.findByEmail(ctx.db, claims.email)
  if (user) await requireConfirmed(ctx, user)
  if (!user && !(await maySignUp(ctx, claims.email))) {
    throw new ServiceError('forbidden', 'Sign-up is by invitation; ask for one to this address')
  }
  const user_id = user?.user_id ?? ctx.newId()
  await ctx.db.transaction().execute(async (tx) => {
    if (!user) await createPerson(ctx, tx, { user_id, email: claims.email, name: claims.name ?? null })
    else if (user.email_verified_at === null) await userCredentials.setVerified(tx, user_id, ctx.now())
    await link(ctx, tx, { ...identity, user_id })
  })
  return user ?? { email: claims.email }
}

/** A person who set a password before the address was confirmed may be a stranger, and would stay. */
export async function requireConfirmed(
  ctx: Pick<IdentityBase, 'db'>,
  user: userCredentials.SignInUser,
): Promise<void> {
  if (user.email_verified_at !== null) return
  // Made by a directory, and signed in to by no person since: no password of a stranger waits there.
  if (user.password_hash === null && (await scimUsers.isMade(ctx.db, user.user_id))) return
  throw new ServiceError(
    'conflict',
    'Your address is known here and was never confirmed; sign in once with a code by mail, then this way',
  )
}

export async function link(ctx: SignInContext, tx: Db, identity: Identity): Promise<void> {
  if (!(await userCredentials.addIdentity(tx, { ...identity, created_at: ctx.now() }))) {
    throw new ServiceError('conflict', 'It was changed meanwhile; sign in again')
  }
  const { user_id, issuer } = identity
  await recordSignIn(ctx, tx, { user_id, action: 'finishSso', details: { issuer } })
}
