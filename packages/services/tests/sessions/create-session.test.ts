import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sessionEvents, sessionPrompts } from '@svc/db'
import { expect, test } from 'vitest'
import { createSession, type getSession, listSessions, putSecret } from '../../src/index.ts'
import { addMember, agentPrincipal } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx } = project
type Session = Awaited<ReturnType<typeof getSession>>
type Body = Parameters<typeof createSession>[1]['body']
const create = async (body: Body = {}, idempotency_key?: string): Promise<Session> => {
  const created = await createSession(ctx, { project_id, respond_async: false, idempotency_key, body })
  if (created.kind !== 'created') throw new Error(created.reason)
  return created.session
}

test('a session is a row, a branch, a log, a prompt and a job', async () => {
  world.queue.drop()
  const session = await create({
    initial_prompt: 'Begin 😀',
    name: 'First',
    model: 'demo/model',
    labels: ['a', 'b'],
    metadata: { deep: { nul: 'a\0b', half: '\ud83d' } },
    origin_ref: 'ticket-1',
  })
  expect(session).toMatchObject({
    status: 'provisioning',
    runtime_status: 'provisioning',
    branch_name: session.session_id,
    sandbox_id: session.session_id,
    base_ref: 'main',
    agent_name: 'default',
    model: 'demo/model',
    origin: 'user',
    origin_ref: 'ticket-1',
    labels: ['a', 'b'],
    visibility: 'private',
    error: null,
    failure: null,
    external_id: null,
    runtime_url: null,
    created_by: project.owner.user_id,
  })
  expect(session.metadata).toEqual({ deep: { nul: 'a\ufffdb', half: '\ufffd' } })
  expect(await project.tip(session.session_id)).toBe(await project.tip('main'))
  expect(world.queue.drop()).toEqual([{ name: 'sandbox.provision', id: session.session_id }])
  const events = await sessionEvents.listAfter(world.db, session.session_id, 0, 10)
  expect(events.map(({ seq, type, payload }) => [seq, type, payload.text ?? payload.status])).toEqual([
    [1, 'status', 'provisioning'],
    [2, 'prompt', 'Begin 😀'],
  ])
  expect(await sessionPrompts.listPending(world.db, session.session_id)).toMatchObject([
    { text: 'Begin 😀', source: 'initial' },
  ])
})

test('the branch is cut from the base that was asked for', async () => {
  const sha = await project.commit('base', { 'base.txt': 'b\n' }, 'B', { from: 'main' })
  const session = await create({ base_ref: 'refs/heads/base' })
  expect(session.base_ref).toBe('base')
  expect(await project.tip(session.session_id)).toBe(sha)
})

test('a client may choose the id, once', async () => {
  const session_id = randomUUID()
  expect((await create({ session_id })).session_id).toBe(session_id)
  await expect(create({ session_id })).rejects.toMatchObject({ code: 'SESSION_ID_TAKEN' })
  const other = await makeProject(world)
  await expect(newSession(world, other, { session_id })).rejects.toMatchObject({ code: 'SESSION_ID_TAKEN' })
})

test('an empty repository has no base, and any other missing base is refused', async () => {
  const empty = await makeProject(world, project.owner, false)
  const session = await newSession(world, empty)
  expect((await session.row()).status).toBe('provisioning')
  expect(await empty.git('for-each-ref')).toBe('')
  await expect(newSession(world, empty, { base_ref: 'other' })).rejects.toMatchObject({
    code: 'REF_NOT_FOUND',
  })
  await expect(create({ base_ref: 'nowhere' })).rejects.toMatchObject({ code: 'REF_NOT_FOUND' })
  await expect(create({ base_ref: 'a..b' })).rejects.toMatchObject({ code: 'REF_NOT_FOUND' })
})

test('agents are those that the default branch declares and enables', async () => {
  const own = await makeProject(world, project.owner)
  const agents =
    'agents:\n  default: {}\n  reviewer:\n    svc_cli: [project.read, project.cr.open, project.cr.merge]\n    workspace: read\n    secrets: [A]\n  off:\n    enabled: false\n'
  await own.commit('main', { 'svc.yaml': `svc_version: 2\ndefault_agent: default\n${agents}` })
  for (const name of ['A', 'B']) await putSecret(own.ctx, { project_id: own.project_id, name, value: name })
  const reviewer = await newSession(world, own, { agent_name: 'reviewer', secrets: ['A', 'B'] })
  expect(await reviewer.row()).toMatchObject({
    agent_name: 'reviewer',
    agent_grant: ['project.read', 'project.gitops.read', 'project.gitops.merge', 'project.cr.merge'],
    merge_granted: true,
    requested: { secrets: ['A'] },
  })
  const standard = await newSession(world, own)
  expect(await standard.row()).toMatchObject({
    agent_name: 'default',
    merge_granted: false,
    requested: { secrets: [] },
  })
  for (const agent_name of ['off', 'unknown', '__proto__']) {
    await expect(newSession(world, own, { agent_name })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'agent_name', message: expect.stringContaining('reviewer') }] },
    })
  }
})

test('a manifest that nobody can read gives no agent the rights of none', async () => {
  const own = await makeProject(world)
  await own.commit('main', { 'svc.yaml': 'svc_version: 2\nagents: [unclosed\n' })
  await expect(newSession(world, own)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('The manifest on main cannot be read'),
  })
})

test('an agent that the manifest declares wrongly is refused with what is wrong', async () => {
  const own = await makeProject(world, project.owner)
  const agents = 'agents:\n  default:\n    model: some/model\n  other: {}\n'
  await own.commit('main', { 'svc.yaml': `svc_version: 2\ndefault_agent: default\n${agents}` })
  await expect(newSession(world, own)).rejects.toThrow('agents.default.model: `model` is the agent')
  expect((await (await newSession(world, own, { agent_name: 'other' })).row()).agent_name).toBe('other')
})

test('a key that runtime_context may not have is told what keys are', async () => {
  await expect(create({ runtime_context: { UPPER: 1 } })).rejects.toThrow('keys must match ^[a-z]')
})

test('what is wrong in a list is named by its place, in plain words', async () => {
  const wrong = (body: Body) => create(body).catch((error: unknown) => error)
  expect(await wrong({ secrets: ['A', 1] })).toMatchObject({
    message: 'secrets[1]: must be text, not a number',
    details: { issues: [{ path: 'secrets[1]', message: 'must be text, not a number' }] },
  })
  expect(await wrong({ connector_bindings: { a: 'x' } })).toMatchObject({
    message: 'connector_bindings.a: must be an object, not text',
  })
})

test.each([
  [{ runtime_context: { UPPER: 1 } }, 'INVALID_SESSION_RUNTIME_CONTEXT'],
  [{ runtime_context: { nested: {} } }, 'INVALID_SESSION_RUNTIME_CONTEXT'],
  [{ runtime_context: { api_key: 'x' } }, 'INVALID_SESSION_RUNTIME_CONTEXT'],
  [{ runtime_context: 'text' }, 'INVALID_SESSION_RUNTIME_CONTEXT'],
  [{ runtime_context: { long: 'x'.repeat(4097) } }, 'INVALID_SESSION_RUNTIME_CONTEXT'],
  [
    { runtime_context: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, 1])) },
    'INVALID_SESSION_RUNTIME_CONTEXT',
  ],
  [
    { runtime_context: Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`k${i}`, 'x'.repeat(4000)])) },
    'INVALID_SESSION_RUNTIME_CONTEXT',
  ],
  [{ connector_bindings: { 'Not a slug': { connection_id: 'x' } } }, 'INVALID_SESSION_CONNECTOR_BINDINGS'],
  [{ connector_bindings: { slug: { connection_id: 'x', more: 1 } } }, 'INVALID_SESSION_CONNECTOR_BINDINGS'],
  [{ connector_bindings: [] }, 'INVALID_SESSION_CONNECTOR_BINDINGS'],
  [{ secrets: 'all' }, 'INVALID_SESSION_SECRETS'],
  [{ secrets: [1] }, 'INVALID_SESSION_SECRETS'],
  [{ secrets: Array.from({ length: 129 }, (_, i) => `S${i}`) }, 'INVALID_SESSION_SECRETS'],
] as const)('%j is %s', async (body, code) => {
  await expect(create(body)).rejects.toMatchObject({ code, details: { issues: expect.anything() } })
})

test('what a session could not be given is refused, with what there is', async () => {
  const own = await makeProject(world, project.owner)
  await own.commit('main', {
    'svc.yaml':
      'svc_version: 2\ndefault_agent: default\nagents:\n  default: {}\nsandbox:\n  templates:\n    - slug: big\n      image: x\n',
  })
  await putSecret(own.ctx, { project_id: own.project_id, name: 'HERE', value: 'x' })
  const refused = (body: Body) => endOf(newSession(world, own, body))
  expect(await refused({ sandbox_slug: 'big', secrets: ['HERE'], provider: 'auto' })).toBe('done')
  expect(await refused({ sandbox_slug: 'default' })).toBe('done')
  for (const [body, code, known] of [
    [{ sandbox_slug: 'small' }, 'invalid_request', 'default, big'],
    [{ secrets: ['HERE', 'GONE'] }, 'INVALID_SESSION_SECRETS', 'HERE'],
    [{ provider: 'cloud' }, 'invalid_request', 'bubblewrap'],
  ] as const) {
    await expect(
      newSession(world, own, { ...body, ...('secrets' in body ? { secrets: [...body.secrets] } : {}) }),
    ).rejects.toMatchObject({
      code,
      message: expect.stringContaining(known),
      details: { issues: [{ path: Object.keys(body)[0] }] },
    })
  }
})

test('a template that no provider can make is refused with its words, and one that is made elsewhere is not', async () => {
  const own = await makeProject(world, project.owner)
  await own.commit('main', {
    'svc.yaml':
      'svc_version: 2\ndefault_agent: default\nagents:\n  default: {}\n  plain: { sandbox: default }\nsandbox:\n  default: tools\n  templates:\n    - slug: tools\n      image: debian:12\n',
  })
  const asked: unknown[] = []
  const ctx = world.as(own.ctx.principal, {
    template_refusal: (template, provider) => {
      asked.push([template, provider])
      return 'The template tools names an image, and the provider process runs none.'
    },
  })
  const make = (body: Body) => createSession(ctx, { project_id: own.project_id, respond_async: false, body })
  const before = await listSessions(own.ctx, { project_id: own.project_id, limit: 10 })
  await expect(make({ provider: 'process' })).rejects.toMatchObject({
    code: 'SANDBOX_TEMPLATE_REFUSED',
    message: expect.stringContaining('the provider process'),
  })
  expect(asked).toEqual([[{ slug: 'tools', image: 'debian:12' }, 'process']])
  expect(await listSessions(own.ctx, { project_id: own.project_id, limit: 10 })).toEqual(before)
  for (const body of [{ agent_name: 'plain' }, { sandbox_slug: 'default' }])
    expect(await make(body)).toMatchObject({ kind: 'created' })
})

test('Prefer: respond-async answers before the branch is cut', async () => {
  const created = await createSession(ctx, { project_id, respond_async: true, body: {} })
  expect(created).toMatchObject({ kind: 'queued', status: 'queued', reason: 'respond_async' })
  if (created.kind !== 'queued') return
  await expect(project.tip(created.session_id)).rejects.toThrow()
  await world.queue.drain()
  expect(await project.tip(created.session_id)).toBe(await project.tip('main'))
})

test('a branch that cannot be cut now is cut by the worker', async () => {
  const session_id = randomUUID()
  const lock = join(world.gitDir(project_id), 'refs/heads', `${session_id}.lock`)
  await writeFile(lock, '')
  const created = await createSession(ctx, { project_id, respond_async: false, body: { session_id } })
  expect(created).toMatchObject({ kind: 'queued', reason: 'repository_slow', session_id })
  await rm(lock)
  await world.queue.drain()
  expect(await project.tip(session_id)).toBe(await project.tip('main'))
})

test('who may start one', async () => {
  const viewer = world.as((await addMember(world, project, 'viewer')).principal)
  await expect(newSession(world, project, {}, viewer)).rejects.toMatchObject({ code: 'forbidden' })
  const member = await addMember(world, project, 'member')
  const session = await newSession(world, project, {}, world.as(member.principal))
  const agent = agentPrincipal({ ...session.key, created_by: member.user_id }, ['project.session.start'])
  const child = await newSession(world, project, {}, world.as(agent))
  expect(await child.row()).toMatchObject({
    parent_session_id: session.session_id,
    origin: 'api',
    created_by: member.user_id,
  })
  const powerless = agentPrincipal({ ...session.key, created_by: member.user_id }, ['project.read'])
  await expect(newSession(world, project, {}, world.as(powerless))).rejects.toMatchObject({
    code: 'forbidden',
  })
})
