import type { AccountRole } from '@svc/access'
import { type Context, recordAudit, requireAccount } from '@svc/context'
import { accounts, type Db, members, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'

type MemberContext = Pick<Context, 'db' | 'principal' | 'now' | 'newId'>

export async function listMembers(ctx: Pick<Context, 'db' | 'principal'>, input: { account_id: string }) {
  await requireAccount(ctx, input.account_id, 'member')
  return { members: await members.list(ctx.db, input.account_id) }
}

/** Admins change the members whom they could have invited; only owners make and unmake owners. */
export async function updateMember(
  ctx: MemberContext,
  input: members.AccountMemberKey & { readonly role: AccountRole },
): Promise<members.AccountMember> {
  const { account_id, user_id, role } = input
  const account = await requireAccount(ctx, account_id, 'admin')
  return ctx.db.transaction().execute(async (tx) => {
    const member = await lockMember(tx, input)
    if (role === 'owner' || member.role === 'owner') requireOwner(account)
    if (member.role === 'owner' && role !== 'owner') await keepAnOwner(tx, account_id)
    await members.setRole(tx, input, role)
    await recordAudit(ctx, tx, {
      account_id,
      action: 'updateMember',
      target: `accounts/${account_id}/members/${user_id}`,
      details: { from: member.role, to: role },
    })
    return { ...member, role }
  })
}

/** Removes a member with their roles and credentials on the account's projects. Every member may leave. */
export async function removeMember(ctx: MemberContext, input: members.AccountMemberKey): Promise<void> {
  const { account_id, user_id } = input
  const leaves = ctx.principal.type === 'user' && ctx.principal.user_id === user_id
  const account = await requireAccount(ctx, account_id, leaves ? 'member' : 'admin')
  await ctx.db.transaction().execute(async (tx) => {
    const member = await lockMember(tx, input)
    if (member.role === 'owner' && !leaves) requireOwner(account)
    if (member.role === 'owner') await keepAnOwner(tx, account_id)
    await members.remove(tx, input)
    await tokens.revokeOfUser(tx, { user_id, account_id }, ctx.now())
    await recordAudit(ctx, tx, {
      account_id,
      action: 'removeMember',
      target: `accounts/${account_id}/members/${user_id}`,
      details: { role: member.role },
    })
  })
}

/** Under the lock of the account, so that two owners cannot both be the second to last. */
async function lockMember(tx: Db, key: members.AccountMemberKey): Promise<members.AccountMember> {
  await accounts.lock(tx, key.account_id)
  const member = await members.find(tx, key)
  if (!member) throw new ServiceError('not_found', 'There is no such member; list those of the account')
  return member
}

/** Under the lock of the account. Throws `LAST_OWNER`. */
export async function keepAnOwner(tx: Db, account_id: string): Promise<void> {
  if ((await members.countOwners(tx, account_id)) > 1) return
  throw new ServiceError(
    'LAST_OWNER',
    'This is the last owner of the account; make another member owner first',
  )
}

export function requireOwner(account: { readonly role: AccountRole }): void {
  if (account.role === 'owner') return
  const message = 'Only an owner makes, changes or removes owners; ask one of them'
  throw new ServiceError('forbidden', message, { action: 'account.owner' })
}
