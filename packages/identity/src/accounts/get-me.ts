import { type Context, requireUser } from '@svc/context'
import { accounts, platformAdmins } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { brandingOf } from './branding.ts'

export async function getMe(ctx: Pick<Context, 'db' | 'principal'>) {
  const { user_id } = requireUser(ctx)
  const [user, memberships, platform_admin] = await Promise.all([
    accounts.findUser(ctx.db, user_id),
    accounts.listMemberships(ctx.db, user_id),
    platformAdmins.isOne(ctx.db, user_id),
  ])
  const first = memberships[0]
  if (!user || !first)
    throw new ServiceError(
      'not_found',
      'This person belongs to no account; ask an owner of one for an invitation',
    )
  return {
    user_id,
    email: user.email,
    name: user.name,
    account_id: first.account_id,
    platform_admin,
    accounts: memberships.map((account) => ({
      account_id: account.account_id,
      name: account.name,
      role: account.role,
      tier: account.tier,
      default_model: account.default_model,
      gateway_new_projects: account.gateway_new_projects,
      branding: brandingOf(account),
    })),
  }
}
