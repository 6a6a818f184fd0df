import { accounts, type Db, invitations, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { admitFirstOwner } from './admit-platform-admin.ts'
import type { SignInContext } from './context.ts'

export interface NewPerson {
  readonly user_id: string
  /** In lower case, and confirmed. */
  readonly email: string
  readonly name: string | null
}

/** True when an address that has no person yet may get one. */
export async function maySignUp(
  ctx: Pick<SignInContext, 'db' | 'settings' | 'now'>,
  email: string,
): Promise<boolean> {
  const invited = await invitations.isInvited(ctx.db, email, ctx.now())
  return invited || ctx.settings.sign_up === 'open'
}

/** A person whose address was found to be theirs, in no account yet. */
export async function insertPerson(
  ctx: Pick<SignInContext, 'now'>,
  tx: Db,
  { user_id, email, name }: NewPerson,
): Promise<void> {
  const created_at = ctx.now()
  if (!(await accounts.insertUser(tx, { user_id, email, name: name ?? email, created_at }))) {
    throw new ServiceError('conflict', 'This address has signed up already; sign in instead')
  }
  await userCredentials.setVerified(tx, user_id, created_at)
}

/** The same for a person who signed up. One who comes by invitation brings no account of their own. */
export async function createPerson(
  ctx: Pick<SignInContext, 'settings' | 'now' | 'newId'>,
  tx: Db,
  person: NewPerson,
): Promise<void> {
  await insertPerson(ctx, tx, person)
  if (ctx.settings.sign_up !== 'open') return
  const { user_id, email, name } = person
  const created_at = ctx.now()
  const account = { account_id: ctx.newId(), name: `${name ?? email}'s account`, created_at }
  await accounts.insertOwned(tx, { ...account, tier: 'free' }, user_id)
  await admitFirstOwner(ctx, tx, { user_id, account_id: account.account_id })
}
