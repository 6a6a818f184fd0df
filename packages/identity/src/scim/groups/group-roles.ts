import type { ProjectRole } from '@svc/access'
import { type Context, recordAudit, requireAccount } from '@svc/context'
import { type Db, type ScimGroupRow, scimGroups } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { settleRoles } from '../users/membership.ts'
import { lockGroup } from './write-group.ts'

/** The groups of the account's directory, with what they give. */
export async function listGroups(ctx: Pick<Context, 'db' | 'principal'>, input: { account_id: string }) {
  await requireAccount(ctx, input.account_id, 'admin')
  const groups = await scimGroups.list(ctx.db, input.account_id)
  return { groups: await present(ctx.db, input.account_id, groups) }
}

export interface GroupRoles {
  readonly account_role: 'admin' | 'member'
  readonly projects: readonly { readonly project_id: string; readonly role: ProjectRole }[]
}

/** Sets the roles that a group gives. They reach every member at once; a role that it gives no more ends. */
export async function setGroupRoles(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: scimGroups.GroupKey & GroupRoles,
) {
  const { account_id, group_id, account_role, projects } = input
  const key = { account_id, group_id }
  await requireAccount(ctx, account_id, 'admin', 'scim')
  return ctx.db.transaction().execute(async (tx) => {
    await lockGroup(tx, key)
    if (!(await scimGroups.setProjects(tx, key, projects)))
      throw new ServiceError('not_found', 'There is no such project in the account; list its projects')
    await scimGroups.update(tx, key, { account_role }, ctx.now())
    const members = (await scimGroups.listMembers(tx, account_id, [group_id])).get(group_id) ?? []
    const user_ids = members.map(({ user_id }) => user_id)
    await settleRoles(ctx, tx, account_id, user_ids)
    await recordAudit(ctx, tx, {
      account_id,
      action: 'setGroupRoles',
      target: `accounts/${account_id}/groups/${group_id}`,
      details: { account_role, projects },
    })
    const [group] = await present(tx, account_id, [await lockGroup(tx, key)])
    if (!group) throw new Error('The group was not stored')
    return group
  })
}

async function present(db: Db, account_id: string, groups: readonly ScimGroupRow[]) {
  const members = await scimGroups.countMembers(db, account_id)
  const projects = await scimGroups.listProjects(db, account_id)
  return groups.map(({ group_id, display_name, external_id, account_role, created_at }) => ({
    group_id,
    display_name,
    external_id,
    members: members.get(group_id) ?? 0,
    account_role,
    projects: projects
      .filter((given) => given.group_id === group_id)
      .map(({ project_id, role }) => ({ project_id, role })),
    created_at,
  }))
}
