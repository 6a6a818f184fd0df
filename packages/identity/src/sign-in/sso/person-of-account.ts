import { recordAudit } from '@svc/context'
import { accounts, type AccountSsoRow, type Db, members, scimUsers, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { SignInContext } from '../context.ts'
import { insertPerson } from '../create-person.ts'
import { ownsAddress } from './find.ts'
import { link, type ProvedClaims, requireConfirmed } from './person.ts'

/**
 * The person behind the claims of an account's own provider, who is a member of the account from then on. Its word
 * counts for addresses of the domains that the account has proved, and for no others, whatever it says.
 */
export async function personOfAccount(
  ctx: SignInContext,
  sso: AccountSsoRow,
  claims: ProvedClaims,
): Promise<{ readonly email: string }> {
  const identity = { issuer: claims.iss, subject: claims.sub }
  await requireOwnAddress(ctx, sso, claims.email)
  const known = await userCredentials.findByIdentity(ctx.db, identity)
  if (known) await requireOwnAddress(ctx, sso, known.email)
  const user = known ?? (await userCredentials.findByEmail(ctx.db, claims.email))
  if (user && !known) await requireConfirmed(ctx, user)
  const user_id = user?.user_id ?? ctx.newId()
  await ctx.db.transaction().execute(async (tx) => {
    await accounts.lock(tx, sso.account_id)
    if (!user) await insertPerson(ctx, tx, { user_id, email: claims.email, name: claims.name ?? null })
    else if (user.email_verified_at === null) await userCredentials.setVerified(tx, user_id, ctx.now())
    const joins = await join(ctx, tx, sso, user_id)
    if (!known) await link(ctx, tx, { ...identity, user_id })
    if (joins) await recordJoined(ctx, tx, sso, user_id)
  })
  return user ?? { email: claims.email }
}

async function requireOwnAddress(
  ctx: SignInContext,
  { account_id }: AccountSsoRow,
  email: string,
): Promise<void> {
  if (await ownsAddress(ctx, account_id, email)) return
  throw new ServiceError(
    'forbidden',
    'Your address is not of a mail domain that this account has proved; ask its admins to claim the domain',
  )
}

/** False: the person was a member before. The provider does not let in a person whom the account's directory put out. */
async function join(ctx: SignInContext, tx: Db, sso: AccountSsoRow, user_id: string): Promise<boolean> {
  const { account_id, default_role: role } = sso
  const there = await scimUsers.find(tx, { account_id, user_id })
  if (there?.role === null)
    throw new ServiceError('forbidden', 'The directory of the account has deactivated you; ask its admins')
  return members.add(tx, { account_id, user_id, role, created_at: ctx.now() })
}

async function recordJoined(
  ctx: SignInContext,
  tx: Db,
  { account_id, default_role: role, issuer }: AccountSsoRow,
  user_id: string,
): Promise<void> {
  const principal = { type: 'user', user_id, token_id: user_id } as const
  await recordAudit({ ...ctx, principal }, tx, {
    account_id,
    action: 'finishSso',
    target: `accounts/${account_id}/members/${user_id}`,
    details: { issuer, role, joined: true },
  })
}
