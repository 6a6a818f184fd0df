import type { AccountRole } from '@svc/access'
import {
  type Context,
  newSecret,
  recordAudit,
  requireAccount,
  requireActive,
  requireUser,
  tokenHash,
} from '@svc/context'
import { accounts, type InvitationRow, invitations, members } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { requireOwner } from './account-members.ts'

type InviteContext = Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>

const lifetimeMs = 7 * 86_400_000

export async function listInvitations(
  ctx: Pick<Context, 'db' | 'principal' | 'now'>,
  input: { account_id: string },
) {
  await requireAccount(ctx, input.account_id, 'admin')
  const open = await invitations.listOpen(ctx.db, input.account_id, ctx.now())
  return { invitations: open.map(present) }
}

/** The token is for the person with that address, and shown this once. */
export async function createInvitation(
  ctx: InviteContext,
  input: { account_id: string; email: string; role: AccountRole },
) {
  const { account_id, email, role } = input
  const account = await requireAccount(ctx, account_id, 'admin')
  const { user_id: invited_by } = requireUser(ctx)
  if (role === 'owner') requireOwner(account)
  const token = newSecret('svc_inv_')
  const created_at = ctx.now()
  return ctx.db.transaction().execute(async (tx) => {
    const row = await invitations.insert(tx, {
      invitation_id: ctx.newId(),
      account_id,
      email,
      role,
      token_hash: tokenHash(token),
      invited_by,
      created_at,
      expires_at: new Date(created_at.getTime() + lifetimeMs),
    })
    await recordAudit(ctx, tx, {
      account_id,
      action: 'createInvitation',
      target: `accounts/${account_id}/invitations/${row.invitation_id}`,
      details: { email, role },
    })
    return { ...present(row), token }
  })
}

export async function revokeInvitation(
  ctx: InviteContext,
  input: { account_id: string; invitation_id: string },
): Promise<void> {
  const { account_id, invitation_id } = input
  await requireAccount(ctx, account_id, 'admin')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await invitations.revoke(tx, input, ctx.now()))) throw unknown()
    await recordAudit(ctx, tx, {
      account_id,
      action: 'revokeInvitation',
      target: `accounts/${account_id}/invitations/${invitation_id}`,
    })
  })
}

/** Joins the account, once, as the person whom the invitation names. */
export async function acceptInvitation(ctx: InviteContext, input: { token: string }) {
  const { user_id } = requireUser(ctx)
  const [invitation, user] = await Promise.all([
    invitations.findByHash(ctx.db, tokenHash(input.token)),
    accounts.findUser(ctx.db, user_id),
  ])
  // Another person's invitation looks like one that is not there.
  if (!invitation || !user || user.email.toLowerCase() !== invitation.email.toLowerCase()) throw unknown()
  const { account_id, invitation_id, role } = invitation
  return ctx.db.transaction().execute(async (tx) => {
    const account = await accounts.lock(tx, account_id)
    const now = ctx.now()
    if (!account || !(await invitations.accept(tx, { invitation_id, accepted_by: user_id }, now))) {
      throw new ServiceError(
        'conflict',
        'The invitation was accepted, was revoked or is over; ask for a new one',
      )
    }
    requireActive(ctx, account)
    if (!(await members.add(tx, { account_id, user_id, role, created_at: now }))) {
      throw new ServiceError('conflict', 'You belong to this account already; there is nothing to accept')
    }
    await recordAudit(ctx, tx, {
      account_id,
      action: 'acceptInvitation',
      target: `accounts/${account_id}/members/${user_id}`,
      details: { invitation_id, role },
    })
    return { account_id, name: account.name, role }
  })
}

function unknown(): ServiceError {
  return new ServiceError('not_found', 'There is no such invitation; list those of the account')
}

function present(row: InvitationRow) {
  const { invitation_id, account_id, email, role, invited_by, created_at, expires_at } = row
  return { invitation_id, account_id, email, role, invited_by, created_at, expires_at }
}
