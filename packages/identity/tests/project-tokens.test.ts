import { authenticate } from '@svc/context'
import { archiveProject, getProject, listProjects, provisionProject } from '@svc/services'
import { addMember, addOwner, makeProject, openWorld, runningSession } from '@svc/services/testing'
import { expect, test } from 'vitest'
import {
  createProjectToken,
  createToken,
  getMe,
  listProjectTokens,
  revokeProjectToken,
} from '../src/index.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx, owner } = project
const whois = (token: string) => authenticate(world.base, token)

test('invariant 4: a project token reaches its project and nothing else', async () => {
  const { token, token_id } = await createProjectToken(ctx, { project_id })
  const principal = await whois(token)
  expect(principal).toMatchObject({ type: 'project', project_id, default_branch: false })
  const bound = world.as(principal)
  expect(await getProject(bound, { project_id })).toMatchObject({ project_id, project_role: 'manager' })
  expect(await listProjects(bound)).toMatchObject([{ project_id }])
  const other = await makeProject(world, owner)
  await expect(getProject(bound, { project_id: other.project_id })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(getProject(bound, { project_id: world.base.newId() })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(getMe(bound)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(createToken(bound, { name: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(provisionProject(bound, { name: 'x', seed_starter: false })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(createProjectToken(bound, { project_id })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    revokeProjectToken(other.ctx, { project_id: other.project_id, token_id }),
  ).rejects.toMatchObject({
    code: 'not_found',
  })
  expect((await listProjectTokens(ctx, { project_id })).tokens.map((each) => each.name).sort()).toEqual([
    'cli',
    'push',
  ])
  await revokeProjectToken(ctx, { project_id, token_id })
  await expect(whois(token)).rejects.toMatchObject({ code: 'session_token_revoked' })
})

test('a project is there for people with a role on it, and only for them', async () => {
  const stranger = await addMember(world, project, null)
  await expect(getProject(world.as(stranger.principal), { project_id })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await listProjects(world.as(stranger.principal))).toEqual([])
  const admin = await addMember(world, project, null, 'admin')
  expect(await getProject(world.as(admin.principal), { project_id })).toMatchObject({
    project_role: 'manager',
  })
  const viewer = await addMember(world, project, 'viewer')
  expect(await listProjects(world.as(viewer.principal))).toMatchObject([
    { project_id, project_role: 'viewer' },
  ])
  await expect(createProjectToken(world.as(viewer.principal), { project_id })).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('an agent has what its grant and the role of its person both allow, as they are now', async () => {
  const member = await addMember(world, project, 'member')
  const own = { ...project, ctx: world.as(member.principal) }
  const session = await runningSession(world, own)
  const principal = await whois((await session.environment()).SVC_CLI_TOKEN ?? '')
  expect(principal).toMatchObject({ type: 'session', user_id: member.user_id, merge_granted: false })
  expect(await getProject(world.as(principal), { project_id })).toMatchObject({ project_role: 'member' })
  await expect(createProjectToken(world.as(principal), { project_id })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await world.db.deleteFrom('project_members').where('user_id', '=', member.user_id).execute()
  await expect(getProject(world.as(principal), { project_id })).rejects.toMatchObject({ code: 'not_found' })
})

test('an archived project takes its tokens, sessions and sandboxes along', async () => {
  const own = await makeProject(world, owner)
  const key = { project_id: own.project_id }
  const { token } = await createProjectToken(own.ctx, key)
  const running = await runningSession(world, own)
  const { SVC_CLI_TOKEN = '', SVC_SANDBOX_TOKEN = '' } = await running.environment()
  const { external_id } = await running.row()
  await archiveProject(own.ctx, key)
  for (const each of [token, SVC_CLI_TOKEN]) {
    await expect(whois(each)).rejects.toMatchObject({ code: 'session_token_revoked' })
  }
  await expect(whois(SVC_SANDBOX_TOKEN)).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(getProject(own.ctx, key)).rejects.toMatchObject({ code: 'project_archived' })
  await expect(archiveProject(own.ctx, key)).rejects.toMatchObject({ code: 'project_archived' })
  const stranger = world.as((await addOwner(world)).principal)
  await expect(getProject(stranger, key)).rejects.toMatchObject({ code: 'not_found' })
  expect((await listProjects(own.ctx)).map((each) => each.project_id)).not.toContain(own.project_id)
  await world.queue.drain()
  expect(world.provider.sandboxes.has(external_id ?? '')).toBe(false)
  expect(await own.tip(running.session_id)).toMatch(/^[0-9a-f]{40}$/)
})
