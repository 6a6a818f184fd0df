import { addMember, makeProject, openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { getMe, listMembers, setBranding, updateAccount, updateMe } from '../src/index.ts'

const world = await openWorld()

test('owners and admins set the default of an account, and take it away', async () => {
  const project = await makeProject(world)
  const { account_id } = project
  const admin = world.as((await addMember(world, project, null, 'admin')).principal)
  const member = world.as((await addMember(world, project, 'manager')).principal)
  expect(await updateAccount(admin, { account_id, default_model: 'a/b' })).toMatchObject({
    default_model: 'a/b',
  })
  expect((await getMe(member)).accounts).toMatchObject([{ account_id, default_model: 'a/b' }])
  await expect(updateAccount(member, { account_id, default_model: null })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const stranger = world.as((await makeProject(world)).owner.principal)
  await expect(updateAccount(stranger, { account_id, default_model: null })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await updateAccount(admin, { account_id })).toMatchObject({ default_model: 'a/b' })
  expect(await updateAccount(admin, { account_id, default_model: null })).toMatchObject({
    default_model: null,
  })
})

test('an admin renames the account, and a person themselves, in every account of theirs', async () => {
  const project = await makeProject(world)
  const { account_id } = project
  const member = world.as((await addMember(world, project, 'viewer')).principal)
  expect(await updateAccount(project.ctx, { account_id, name: ' Works ' })).toMatchObject({ name: 'Works' })
  expect((await getMe(member)).accounts).toMatchObject([{ name: 'Works' }])
  expect(await updateMe(member, { name: ' Ada ' })).toMatchObject({ name: 'Ada' })
  expect((await listMembers(project.ctx, { account_id })).members.map(({ name }) => name)).toContain('Ada')
})

test('an admin brands the account for its members, where its plan has that, and takes it away', async () => {
  const project = await makeProject(world)
  const { account_id } = project
  const member = world.as((await addMember(world, project, 'viewer')).principal)
  const brand = { account_id, display_name: ' Acme ', accent: '#1F6FEB' }
  await world.db.updateTable('accounts').set({ tier: 'team' }).where('account_id', '=', account_id).execute()
  await expect(setBranding(project.ctx, brand)).rejects.toMatchObject({
    code: 'entitlement_required',
    details: { entitlement: 'branding' },
  })
  await world.db
    .updateTable('accounts')
    .set({ tier: 'enterprise' })
    .where('account_id', '=', account_id)
    .execute()
  await expect(setBranding(member, brand)).rejects.toMatchObject({ code: 'forbidden' })
  const kept = { display_name: 'Acme', accent: '#1f6feb' }
  expect(await setBranding(project.ctx, brand)).toEqual(kept)
  expect((await getMe(member)).accounts).toMatchObject([{ branding: kept }])
  await setBranding(project.ctx, { account_id, display_name: null, accent: null })
  expect((await getMe(member)).accounts).toMatchObject([{ branding: null }])
})
