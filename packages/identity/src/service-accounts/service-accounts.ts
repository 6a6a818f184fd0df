import { type Context, recordAudit, requireAccount, requireUser } from '@svc/context'
import { serviceAccounts, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'

type AdminContext = Pick<Context, 'db' | 'principal' | 'now' | 'newId'>

export interface ServiceAccountInput {
  readonly account_id: string
  readonly service_account_id: string
}

export async function listServiceAccounts(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: { account_id: string },
) {
  await requireAccount(ctx, input.account_id, 'admin')
  return { service_accounts: (await serviceAccounts.list(ctx.db, input.account_id)).map(present) }
}

/** It reaches nothing until a role on a project is assigned to it. */
export async function createServiceAccount(ctx: AdminContext, input: { account_id: string; name: string }) {
  const { account_id, name } = input
  await requireAccount(ctx, account_id, 'admin')
  const service_account_id = ctx.newId()
  return ctx.db.transaction().execute(async (tx) => {
    const { user_id: created_by } = requireUser(ctx)
    const row = await serviceAccounts.insert(tx, {
      service_account_id,
      account_id,
      name,
      created_by,
      created_at: ctx.now(),
    })
    await recordAudit(ctx, tx, {
      account_id,
      action: 'createServiceAccount',
      target: targetOf({ account_id, service_account_id }),
      details: { name },
    })
    return present(row)
  })
}

/** Its keys end at once, and its roles with it. */
export async function deleteServiceAccount(ctx: AdminContext, input: ServiceAccountInput): Promise<void> {
  const { account_id, service_account_id } = input
  await requireAccount(ctx, account_id, 'admin')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await serviceAccounts.lock(tx, input))) throw unknownServiceAccount()
    await serviceAccounts.remove(tx, input, ctx.now())
    await tokens.revokeOfUser(tx, { user_id: service_account_id }, ctx.now())
    const action = 'deleteServiceAccount'
    await recordAudit(ctx, tx, { account_id, action, target: targetOf(input) })
  })
}

export function targetOf({ account_id, service_account_id }: ServiceAccountInput): string {
  return `accounts/${account_id}/service-accounts/${service_account_id}`
}

export function unknownServiceAccount(): ServiceError {
  return new ServiceError('not_found', 'There is no such service account; list those of the account')
}

function present(row: serviceAccounts.NamedServiceAccount) {
  const { service_account_id, account_id, name, created_by, created_at } = row
  return { service_account_id, account_id, name, created_by, created_at }
}
