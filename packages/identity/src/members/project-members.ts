import type { ProjectRole } from '@svc/access'
import { type Context, recordAudit, requireEntitlement, requireProject } from '@svc/context'
import { accountRoles, accounts, projectMembers, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'

type MemberContext = Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>

export async function listProjectMembers(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: { project_id: string },
) {
  await requireProject(ctx, input.project_id, 'project.members.read')
  return { members: await projectMembers.list(ctx.db, input.project_id) }
}

export type GivenRole = { readonly role: ProjectRole } | { readonly role_id: string }

/** Gives a person or a service account of the account a role on the project, in place of the one that they had. */
export async function setProjectMember(
  ctx: MemberContext,
  input: projectMembers.ProjectMemberKey & GivenRole,
): Promise<projectMembers.ProjectMember> {
  const { project_id, user_id } = input
  const { account_id } = await requireProject(ctx, project_id, 'project.members.manage')
  return ctx.db.transaction().execute(async (tx) => {
    const account = await accounts.lock(tx, account_id)
    if (!account || !(await projectMembers.belongsTo(tx, { account_id, user_id }))) {
      throw new ServiceError(
        'not_found',
        'There is no such person or service account in the account; invite the person first',
      )
    }
    if ('role_id' in input) await requireEntitlement(ctx, account, 'rbac')
    const role = await resolve(tx, account_id, input)
    await projectMembers.set(tx, { project_id, user_id, ...role, created_at: ctx.now() })
    const member = await projectMembers.find(tx, { project_id, user_id })
    if (!member) throw new Error('The role was not stored')
    await recordAudit(ctx, tx, {
      account_id,
      project_id,
      action: 'setProjectMember',
      target: `projects/${project_id}/members/${user_id}`,
      details: role,
    })
    return member
  })
}

async function resolve(
  tx: Context['db'],
  account_id: string,
  given: GivenRole,
): Promise<{ role: ProjectRole; role_id: string | null }> {
  if ('role' in given) return { role: given.role, role_id: null }
  const custom = await accountRoles.find(tx, { account_id, role_id: given.role_id })
  if (!custom) throw new ServiceError('not_found', 'There is no such role in the account; list its roles')
  return { role: custom.base_role, role_id: custom.role_id }
}

/** Their credentials on the project end with it. */
export async function removeProjectMember(
  ctx: MemberContext,
  input: projectMembers.ProjectMemberKey,
): Promise<void> {
  const { project_id, user_id } = input
  const { account_id } = await requireProject(ctx, project_id, 'project.members.manage')
  await ctx.db.transaction().execute(async (tx) => {
    await accounts.lock(tx, account_id)
    if (!(await projectMembers.remove(tx, input))) {
      throw new ServiceError('not_found', 'There is no such member; list those of the project')
    }
    await tokens.revokeOnProject(tx, { user_id, project_id }, ctx.now())
    await recordAudit(ctx, tx, {
      account_id,
      project_id,
      action: 'removeProjectMember',
      target: `projects/${project_id}/members/${user_id}`,
    })
  })
}
