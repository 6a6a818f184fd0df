import { accounts, type Db, invitations, members, scimRoles, scimUsers, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { endSession } from '@svc/services'
import { keepAnOwner } from '../../members/account-members.ts'
import type { ScimContext } from '../context.ts'

type Key = members.AccountMemberKey

/** Under the lock of the account. Roles that the person held by hand come back, and those of their groups with them. */
export async function activate(ctx: ScimContext, tx: Db, key: Key): Promise<void> {
  const user = await scimUsers.find(tx, key)
  if (!user || user.role !== null) return
  const role = user.parked?.role ?? 'member'
  await members.add(tx, { ...key, role, created_at: ctx.now() })
  if (user.parked) await scimRoles.restore(tx, key, user.parked, ctx.now())
  await scimUsers.setParked(tx, key, null)
  await settleRoles(ctx, tx, key.account_id, [key.user_id])
}

/**
 * Under the lock of the account. Without a membership no credential of the person reaches the account, whatever kind it
 * is, from the next request on; those that reach nothing else end as well. The last owner stays.
 */
export async function deactivate(ctx: ScimContext, tx: Db, key: Key): Promise<void> {
  const held = await scimRoles.givenByHand(tx, key)
  if (!held) return
  if (held.role === 'owner') await keepAnOwner(tx, key.account_id)
  const now = ctx.now()
  const user = await accounts.findUser(tx, key.user_id)
  await members.remove(tx, key)
  await scimUsers.setParked(tx, key, held)
  await tokens.revokeOfUser(tx, key, now)
  if (!(await scimRoles.belongsAnywhere(tx, key.user_id)))
    await tokens.revokeOfUser(tx, { user_id: key.user_id }, now)
  if (user)
    await invitations.revokeForEmail(tx, { account_id: key.account_id, email: user.email.toLowerCase() }, now)
}

/**
 * After the commit: stops the sessions whose agents worked for a person who is gone. A failure is told to the
 * operator.
 */
export async function stopSessionsOf(ctx: ScimContext, key: Key): Promise<void> {
  for (const session_id of await scimUsers.listLiveSessions(ctx.db, key)) {
    await endSession(ctx, session_id, 'user').catch((error: unknown) =>
      ctx.log.error({ err: error, session_id }, 'the session of a deactivated person was not stopped'),
    )
  }
}

/** The roles of these people as their groups give them; credentials on projects that they lost end. */
export async function settleRoles(
  ctx: Pick<ScimContext, 'now'>,
  tx: Db,
  account_id: string,
  user_ids: readonly string[],
): Promise<void> {
  for (const { user_id, project_id } of await scimRoles.settle(tx, account_id, user_ids, ctx.now()))
    await tokens.revokeOnProject(tx, { user_id, project_id }, ctx.now())
}

/** Under the lock of the account; throws not_found for a person whom its directory does not know. */
export async function lockUser(tx: Db, key: Key): Promise<scimUsers.DirectoryUser> {
  await accounts.lock(tx, key.account_id)
  return findUser(tx, key)
}

export async function findUser(db: Db, key: Key): Promise<scimUsers.DirectoryUser> {
  const user = await scimUsers.find(db, key)
  if (user) return user
  throw new ServiceError('not_found', 'There is no such user; list the users of the account')
}
