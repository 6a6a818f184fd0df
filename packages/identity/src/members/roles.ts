import { type ProjectRole, projectRoles, roleCapabilities } from '@svc/access'
import { type Context, recordAudit, requireAccount, requireUser } from '@svc/context'
import { type Capability, capabilities } from '@svc/facts'
import { type AccountRoleRow, accountRoles, projectMembers } from '@svc/db'
import { ServiceError } from '@svc/errors'

type RoleContext = Pick<Context, 'db' | 'principal' | 'now' | 'newId'>

export interface RoleFields {
  readonly name: string
  readonly base_role: ProjectRole
  readonly capabilities: readonly Capability[]
}

/** The built-in roles, then those of the account. */
export async function listRoles(ctx: Pick<Context, 'db' | 'principal'>, input: { account_id: string }) {
  await requireAccount(ctx, input.account_id, 'member')
  const builtIn = projectRoles.map((name) => ({
    role_id: null,
    name,
    base_role: name,
    capabilities: roleCapabilities(name),
    built_in: true,
  }))
  return { roles: [...builtIn, ...(await accountRoles.list(ctx.db, input.account_id)).map(present)] }
}

export async function createRole(ctx: RoleContext, input: { readonly account_id: string } & RoleFields) {
  const { account_id, ...fields } = input
  await requireAccount(ctx, account_id, 'admin', 'rbac')
  const { user_id: created_by } = requireUser(ctx)
  const now = ctx.now()
  return ctx.db.transaction().execute(async (tx) => {
    const row = await accountRoles.insert(tx, {
      role_id: ctx.newId(),
      account_id,
      ...columns(fields),
      created_by,
      created_at: now,
      updated_at: now,
    })
    if (!row)
      throw new ServiceError('conflict', 'The account has a role with this name already; choose another')
    await recordAudit(ctx, tx, entry('createRole', row))
    return present(row)
  })
}

/** Changes the role for all who have it, from the next request on. */
export async function updateRole(ctx: RoleContext, input: accountRoles.RoleKey & RoleFields) {
  const { account_id, role_id, ...fields } = input
  await requireAccount(ctx, account_id, 'admin', 'rbac')
  return ctx.db.transaction().execute(async (tx) => {
    const named = (await accountRoles.list(tx, account_id)).find(
      (role) => role.name.toLowerCase() === fields.name.toLowerCase(),
    )
    if (named && named.role_id !== role_id)
      throw new ServiceError('conflict', 'The account has a role with this name already; choose another')
    const row = await accountRoles.update(
      tx,
      { account_id, role_id },
      { ...columns(fields), updated_at: ctx.now() },
    )
    if (!row) throw unknown()
    await accountRoles.rebase(tx, role_id, row.base_role)
    await recordAudit(ctx, tx, entry('updateRole', row))
    return present(row)
  })
}

export async function deleteRole(ctx: RoleContext, input: accountRoles.RoleKey): Promise<void> {
  const { account_id, role_id } = input
  await requireAccount(ctx, account_id, 'admin', 'rbac')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await accountRoles.remove(tx, input))) throw unknown()
    const target = `accounts/${account_id}/roles/${role_id}`
    await recordAudit(ctx, tx, { account_id, action: 'deleteRole', target })
  })
}

/** Roles of people on the projects of the account. */
export async function listAssignments(ctx: Pick<Context, 'db' | 'principal'>, input: { account_id: string }) {
  await requireAccount(ctx, input.account_id, 'admin')
  return { assignments: await projectMembers.listAssignments(ctx.db, input.account_id) }
}

function columns({ name, base_role, capabilities: given }: RoleFields) {
  return { name, base_role, capabilities: capabilities.filter((one) => given.includes(one)) }
}

function entry(action: string, { account_id, role_id, name, base_role, capabilities: held }: AccountRoleRow) {
  const target = `accounts/${account_id}/roles/${role_id}`
  return { account_id, action, target, details: { name, base_role, capabilities: held } }
}

function unknown(): ServiceError {
  return new ServiceError('not_found', 'There is no such role in the account; list its roles')
}

function present({ role_id, name, base_role, capabilities: held }: AccountRoleRow) {
  return { role_id, name, base_role, capabilities: held, built_in: false }
}
