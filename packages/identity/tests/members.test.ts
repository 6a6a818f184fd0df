import { randomUUID } from 'node:crypto'
import { authenticate, type Context } from '@svc/context'
import { getProject } from '@svc/services'
import { addMember, addOwner, makeProject, openWorld, type Person } from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import {
  createInvitation,
  createProjectToken,
  createToken,
  listMembers,
  removeMember,
  removeProjectMember,
  setProjectMember,
  updateMember,
} from '../src/index.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, account_id, ctx } = project
const whois = (token: string) => authenticate(world.base, token)
const as = async (token: string): Promise<Context> => world.as(await whois(token))
const refused = (code: string) => expect.objectContaining({ code })

describe('members', () => {
  test('the last owner stays, also when two leave at once', async () => {
    const own = await makeProject(world)
    const account = own.account_id
    const first = own.owner
    const second = await addMember(world, own, null, 'owner')
    const leave = (person: Person) =>
      removeMember(world.as(person.principal), { account_id: account, user_id: person.user_id })
    const outcomes = await Promise.allSettled([leave(first), leave(second)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find((one) => one.status === 'rejected')).toMatchObject({
      reason: { code: 'LAST_OWNER' },
    })
    const stays = outcomes[0]?.status === 'rejected' ? first : second
    const input = { account_id: account, user_id: stays.user_id }
    await expect(updateMember(world.as(stays.principal), { ...input, role: 'member' })).rejects.toEqual(
      refused('LAST_OWNER'),
    )
  })

  test('admins manage members and admins, owners alone manage owners', async () => {
    const own = await makeProject(world)
    const admin = await addMember(world, own, null, 'admin')
    const member = await addMember(world, own, null)
    const asAdmin = world.as(admin.principal)
    const input = (person: Person) => ({ account_id: own.account_id, user_id: person.user_id })
    expect(await updateMember(asAdmin, { ...input(member), role: 'admin' })).toMatchObject({ role: 'admin' })
    for (const attempt of [
      () => updateMember(asAdmin, { ...input(member), role: 'owner' }),
      () => updateMember(asAdmin, { ...input(own.owner), role: 'member' }),
      () => removeMember(asAdmin, input(own.owner)),
      () => createInvitation(asAdmin, { account_id: own.account_id, email: 'a@example.com', role: 'owner' }),
    ]) {
      await expect(attempt()).rejects.toEqual(refused('forbidden'))
    }
    const plain = await addMember(world, own, null)
    await expect(removeMember(world.as(plain.principal), input(member))).rejects.toEqual(refused('forbidden'))
    await removeMember(world.as(plain.principal), input(plain))
    await removeMember(asAdmin, input(member))
    const { members } = await listMembers(asAdmin, { account_id: own.account_id })
    expect(members.map(({ role }) => role).sort()).toEqual(['admin', 'owner'])
  })

  test('whoever is removed loses their roles and credentials there, and nowhere else', async () => {
    const own = await makeProject(world)
    const member = await addMember(world, own, 'manager')
    const elsewhere = await addMember(world, project, null)
    await world.db
      .insertInto('account_members')
      .values({ account_id, user_id: member.user_id, role: 'member', created_at: world.clock.now() })
      .execute()
    await setProjectMember(ctx, { project_id, user_id: member.user_id, role: 'manager' })
    const asMember = world.as(member.principal)
    const there = await createProjectToken(asMember, { project_id: own.project_id })
    const here = await createProjectToken(asMember, { project_id })
    const personal = await createToken(asMember, { name: 'mine' })
    await removeMember(own.ctx, { account_id: own.account_id, user_id: member.user_id })
    await expect(whois(there.token)).rejects.toEqual(refused('session_token_revoked'))
    await expect(getProject(asMember, { project_id: own.project_id })).rejects.toEqual(refused('not_found'))
    expect(await getProject(await as(here.token), { project_id })).toMatchObject({ project_id })
    expect(await whois(personal.token)).toMatchObject({ type: 'user' })
    await removeProjectMember(ctx, { project_id, user_id: member.user_id })
    await expect(whois(here.token)).rejects.toEqual(refused('session_token_revoked'))
    await expect(removeProjectMember(ctx, { project_id, user_id: elsewhere.user_id })).rejects.toEqual(
      refused('not_found'),
    )
  })

  test('roles on a project go to people and service accounts of its account alone', async () => {
    const stranger = await addOwner(world)
    for (const user_id of [stranger.user_id, randomUUID()]) {
      await expect(setProjectMember(ctx, { project_id, user_id, role: 'viewer' })).rejects.toEqual(
        refused('not_found'),
      )
    }
    const editor = await addMember(world, project, 'editor')
    const member = { project_id, user_id: editor.user_id, role: 'manager' as const }
    await expect(setProjectMember(world.as(editor.principal), member)).rejects.toEqual(refused('forbidden'))
    expect(await setProjectMember(ctx, { ...member, role: 'viewer' })).toMatchObject({ role: 'viewer' })
  })
})
