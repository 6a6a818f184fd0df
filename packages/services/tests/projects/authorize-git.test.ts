import { randomUUID } from 'node:crypto'
import type { Principal } from '@svc/access'
import { authenticate } from '@svc/context'
import { expect, test } from 'vitest'
import { authorizeGit, provisionProject } from '../../src/index.ts'
import { addMember, addOwner, agentPrincipal } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { projectToken } from '../../src/testing/tokens.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id } = project
const rules = async (
  principal: Principal,
  service: 'git-upload-pack' | 'git-receive-pack' = 'git-receive-pack',
) => (await authorizeGit(world.as(principal), { project_id, service })).rules

test('people push what their role allows', async () => {
  const by = async (role: 'viewer' | 'member' | 'editor' | 'manager') =>
    rules((await addMember(world, project, role)).principal)
  await expect(by('viewer')).rejects.toMatchObject({ code: 'forbidden' })
  const base = { default_branch: 'main', only_branch: null }
  expect(await by('member')).toMatchObject({ ...base, default_allowed: false, delete_allowed: false })
  expect(await by('editor')).toMatchObject({ ...base, default_allowed: false, delete_allowed: true })
  expect(await by('manager')).toMatchObject({ ...base, default_allowed: true, delete_allowed: true })
  const viewer = await addMember(world, project, 'viewer')
  expect(await rules(viewer.principal, 'git-upload-pack')).toMatchObject({ default_allowed: false })
  await expect(rules((await addOwner(world)).principal, 'git-upload-pack')).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('of tokens that are bound to the project only the one of provision pushes the default branch', async () => {
  const { push_token, ...made } = await provisionProject(project.ctx, { name: 'P', seed_starter: false })
  const push = await authenticate(world.base, push_token ?? '')
  const access = await authorizeGit(world.as(push), {
    project_id: made.project_id,
    service: 'git-receive-pack',
  })
  expect(access.rules).toMatchObject({ default_allowed: true, only_branch: null })
  const token = await projectToken(world, project)
  expect(await rules(await authenticate(world.base, token))).toMatchObject({ default_allowed: false })
  await expect(rules(push)).rejects.toMatchObject({ code: 'forbidden' })
})

test('invariant 1: an agent writes its own branch alone, and never the default one', async () => {
  const session = await newSession(world, project)
  const who = { ...session.key, created_by: session.created_by }
  const agent = agentPrincipal(who, ['project.read', 'project.gitops.read', 'project.gitops.push'])
  expect(await rules(agent)).toMatchObject({
    default_allowed: false,
    only_branch: session.session_id,
    delete_allowed: false,
  })
  const free = agentPrincipal(who, ['project.gitops.push', 'project.gitops.ref.any'])
  expect(await rules(free)).toMatchObject({ default_allowed: false, only_branch: null })
  await expect(rules(agentPrincipal(who, ['project.gitops.read']))).rejects.toMatchObject({
    code: 'forbidden',
  })
  const sandbox: Principal = { type: 'sandbox', ...session.key, service_key_hash: new Uint8Array() }
  expect(await rules(sandbox)).toMatchObject({
    default_allowed: false,
    checkpoints_of: session.session_id,
  })
  await expect(rules({ ...sandbox, project_id: randomUUID() })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
