import { createSession, getProject } from '@svc/services'
import { addMember, addOwner, makeProject, openWorld } from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import {
  createRole,
  deleteRole,
  listAssignments,
  listRoles,
  setProjectMember,
  updateRole,
} from '../src/index.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, account_id, ctx } = project
const refused = (code: string) => expect.objectContaining({ code })

describe('custom roles', () => {
  test('add to a built-in role, change at once, and leave it when they are deleted', async () => {
    const member = await addMember(world, project, 'viewer')
    const asMember = world.as(member.principal)
    const start = () => createSession(asMember, { project_id, respond_async: false, body: {} })
    await expect(start()).rejects.toEqual(refused('forbidden'))
    const role = await createRole(ctx, {
      account_id,
      name: 'Starter',
      base_role: 'viewer',
      capabilities: ['project.session.start'],
    })
    const { role_id } = role
    if (role_id === null) throw new Error('A custom role has an id')
    await setProjectMember(ctx, { project_id, user_id: member.user_id, role_id })
    expect(await start()).toMatchObject({ kind: 'created' })
    expect((await listAssignments(ctx, { account_id })).assignments).toEqual(
      expect.arrayContaining([expect.objectContaining({ project_id, user_id: member.user_id, role_id })]),
    )
    await updateRole(ctx, { account_id, role_id, name: 'Starter', base_role: 'editor', capabilities: [] })
    expect(await getProject(asMember, { project_id })).toMatchObject({ project_role: 'editor' })
    await deleteRole(ctx, { account_id, role_id })
    expect(await getProject(asMember, { project_id })).toMatchObject({ project_role: 'editor' })
    const names = (await listRoles(ctx, { account_id })).roles.map(({ name }) => name)
    expect(names).toEqual(['manager', 'editor', 'member', 'viewer'])
  })

  test('have a name of their own, and belong to one account', async () => {
    const fields = { base_role: 'viewer' as const, capabilities: [] }
    const one = await createRole(ctx, { account_id, name: 'Twice', ...fields })
    await expect(createRole(ctx, { account_id, name: 'twice', ...fields })).rejects.toEqual(
      refused('conflict'),
    )
    const two = await createRole(ctx, { account_id, name: 'Second', ...fields })
    const renamed = { account_id, role_id: two.role_id ?? '', name: 'TWICE', ...fields }
    await expect(updateRole(ctx, renamed)).rejects.toEqual(refused('conflict'))
    const other = await makeProject(world)
    const given = { project_id: other.project_id, user_id: other.owner.user_id, role_id: one.role_id ?? '' }
    await expect(setProjectMember(other.ctx, given)).rejects.toEqual(refused('not_found'))
  })

  test('need a plan that holds rbac, as the operator wrote it down', async () => {
    const poor = await addOwner(world, 'free')
    const own = world.as(poor.principal)
    const role = { account_id: poor.account_id, name: 'x', base_role: 'viewer' as const, capabilities: [] }
    const denied = {
      code: 'entitlement_required',
      details: { entitlement: 'rbac', plans: ['team', 'self_host', 'enterprise'] },
    }
    await expect(createRole(own, role)).rejects.toMatchObject(denied)
    await world.db
      .updateTable('plans')
      .set({ entitlements: ['rbac'] })
      .where('tier', '=', 'free')
      .execute()
    expect(await createRole(own, role)).toMatchObject({ name: 'x' })
    await world.db.updateTable('plans').set({ entitlements: [] }).where('tier', '=', 'free').execute()
  })
})
