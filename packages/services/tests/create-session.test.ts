import { createHash, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '@svc/facts'
import { sessionCreates, sessionEvents, sessionPrompts } from '@svc/db'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  admitWaitingSessions,
  createSession,
  deleteSession,
  type getSession,
  getSession as readSession,
  listSessions,
  putSecret,
  stopSession,
} from '../src/index.ts'
import { addMember, addOwner, agentPrincipal } from '../src/testing/people.ts'
import { makeProject } from '../src/testing/projects.ts'
import { endOf } from './support/replica.ts'
import { newSession } from '../src/testing/sessions.ts'
import { openWorld } from '../src/testing/world.ts'

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

describe('creates that wait for room', () => {
  const make = async () => {
    const owner = await addOwner(world, 'free')
    const own = await makeProject(world, owner)
    const queue = (key?: string, body: Body = {}) =>
      createSession(own.ctx, {
        project_id: own.project_id,
        respond_async: true,
        idempotency_key: key,
        body,
      })
    const live = []
    for (let index = 0; index < 3; index += 1) live.push(await newSession(world, own))
    return { own, queue, live }
  }
  const idOf = (created: Awaited<ReturnType<typeof createSession>>) =>
    created.kind === 'queued' ? created.session_id : created.session.session_id
  const hurried = (own: { owner: { principal: Parameters<typeof world.as>[0] } }) =>
    world.as(own.owner.principal, { signal: AbortSignal.abort() })

  test('begin in the order in which they were asked for, and are not there before', async () => {
    const { own, queue, live } = await make()
    const key = randomUUID()
    const waiting = [
      await queue(key, { initial_prompt: 'first' }),
      await createSession(own.ctx, {
        project_id: own.project_id,
        respond_async: false,
        origin: 'trigger',
        body: { initial_prompt: 'fired' },
      }),
      await queue(),
    ]
    for (const each of waiting) expect(each).toMatchObject({ kind: 'queued', reason: 'session_limit' })
    const [first = '', second = '', third = ''] = waiting.map(idOf)
    const there = (session_id: string) =>
      endOf(readSession(own.ctx, { project_id: own.project_id, session_id }))
    expect(await there(first)).toBe('not_found')
    expect(await queue(key, { initial_prompt: 'first' })).toEqual(waiting[0])
    expect(await endOf(newSession(world, own, { session_id: first }))).toBe('session_limit_reached')

    expect(await admitWaitingSessions(world.base)).toBe(0)
    for (const session of live.slice(0, 2)) await stopSession(hurried(own), session.key)
    world.queue.drop()
    const rounds = await Promise.all([1, 2, 3].map(() => admitWaitingSessions(world.base)))
    expect(rounds.reduce((sum, each) => sum + each)).toBe(2)
    expect(world.queue.drop().filter(({ name }) => name === 'sandbox.provision')).toHaveLength(2)
    expect([await there(first), await there(second), await there(third)]).toEqual([
      'done',
      'done',
      'not_found',
    ])
    expect(await sessionPrompts.listPending(world.db, second)).toMatchObject([
      { text: 'fired', source: 'trigger' },
    ])
    expect(await queue(key, { initial_prompt: 'first' })).toMatchObject({
      kind: 'created',
      session: { session_id: first, status: 'provisioning' },
    })
  })

  test('one whose id was taken in the same moment is dropped, and keeps nobody else waiting', async () => {
    const { own, queue, live } = await make()
    const first = idOf(await queue())
    const {
      position: _,
      session,
      ...row
    } = await world.db
      .deleteFrom('session_creates')
      .where('session_id', '=', first)
      .returningAll()
      .executeTakeFirstOrThrow()
    await create({ session_id: first })
    // Two requests of two accounts leave both: neither sees what the other one writes.
    await sessionCreates.insert(world.db, { ...row, session: JSON.stringify(session) })
    const second = idOf(await queue())
    await stopSession(hurried(own), live[0]?.key ?? { project_id, session_id: '' })
    expect(await admitWaitingSessions(world.base)).toBe(1)
    const key = { project_id: own.project_id, session_id: second }
    expect(await readSession(own.ctx, key)).toMatchObject({ status: 'provisioning' })
  })

  test('who comes later stands behind them, also when there is room; a deleted one never begins', async () => {
    const { own, queue, live } = await make()
    const first = idOf(await queue())
    for (const session of live) await stopSession(hurried(own), session.key)
    const second = await queue()
    expect(second).toMatchObject({ reason: 'session_limit' })
    await deleteSession(own.ctx, { project_id: own.project_id, session_id: first })
    expect(await admitWaitingSessions(world.base)).toBe(1)
    const seen = async (session_id: string) =>
      endOf(readSession(own.ctx, { project_id: own.project_id, session_id }))
    expect([await seen(first), await seen(idOf(second))]).toEqual(['not_found', 'done'])
  })
})

describe('Idempotency-Key', () => {
  test('the same request answers with the same session', async () => {
    const key = `key:${randomUUID()}`
    const first = await create({ initial_prompt: 'x', labels: ['a'] }, key)
    const again = await create({ labels: ['a'], initial_prompt: 'x' }, key)
    expect(again.session_id).toBe(first.session_id)
  })

  test('twenty at once make one session, and one event', async () => {
    const key = randomUUID()
    const ids = await Promise.all(Array.from({ length: 20 }, () => create({ initial_prompt: 'x' }, key)))
    const [session_id = ''] = new Set(ids.map((session) => session.session_id))
    expect(ids.map((session) => session.session_id)).toEqual(ids.map(() => session_id))
    const { length } = await world.db
      .selectFrom('audit_events')
      .select('seq')
      .where('session_id', '=', session_id)
      .execute()
    expect(length).toBe(1)
  })

  test.each(['', 'a b', 'ü', 'x'.repeat(256), 'a\n'])('%j is no key', async (key) => {
    await expect(create({}, key)).rejects.toMatchObject({ code: 'INVALID_IDEMPOTENCY_KEY' })
  })

  const first: Body = {
    initial_prompt: 'x',
    connector_bindings: {},
    secrets: ['A', 'B'],
    runtime_context: { ticket: 'T-1' },
    provider_secret_pools: { anthropic: ['A'] },
  }

  test.each<[string, Body, string, string[]?]>([
    ['initial_prompt', { initial_prompt: 'y' }, 'IDEMPOTENCY_KEY_CONFLICT'],
    ['labels', { labels: ['more'] }, 'IDEMPOTENCY_KEY_CONFLICT'],
    [
      'connector_bindings',
      { connector_bindings: { crm: { connection_id: 'c' } } },
      'IDEMPOTENCY_CONNECTOR_BINDINGS_CONFLICT',
    ],
    ['secrets', { secrets: ['A'] }, 'IDEMPOTENCY_SECRETS_CONFLICT'],
    ['no list of secrets', { secrets: undefined }, 'IDEMPOTENCY_SECRETS_CONFLICT'],
    ['runtime_context', { runtime_context: { ticket: 'T-2' } }, 'IDEMPOTENCY_RUNTIME_CONTEXT_CONFLICT'],
    [
      'provider_secret_pools',
      { provider_secret_pools: { anthropic: ['B'] } },
      'IDEMPOTENCY_PROVIDER_SECRET_POOLS_CONFLICT',
    ],
    [
      'two of them',
      { secrets: [], runtime_context: {} },
      'IDEMPOTENCY_SECRETS_CONFLICT',
      ['secrets', 'runtime_context'],
    ],
    ['one of them and more', { secrets: [], name: 'other' }, 'IDEMPOTENCY_KEY_CONFLICT'],
  ])('a key with different %s conflicts, and makes nothing', async (_, difference, code, fields) => {
    for (const name of ['A', 'B']) await putSecret(ctx, { project_id, name, value: 'x' })
    const key = randomUUID()
    const { session_id } = await create(first, key)
    await expect(create({ ...first, ...difference }, key)).rejects.toMatchObject({
      code,
      details: fields === undefined ? {} : { fields },
    })
    const reordered = { ...first, secrets: ['B', 'A'] }
    expect((await create(reordered, key)).session_id).toBe(session_id)
  })

  test('another project, account or person of the project conflicts, and is told nothing', async () => {
    const key = randomUUID()
    const mine = await create(first, key)
    const colleague = world.as((await addMember(world, project, 'manager')).principal)
    const second = await makeProject(world, project.owner)
    const foreign = await makeProject(world)
    for (const [who, where] of [
      [colleague, project_id],
      [second.ctx, second.project_id],
      [foreign.ctx, foreign.project_id],
    ] as const) {
      const asked = { project_id: where, respond_async: false, idempotency_key: key, body: {} }
      const same = { ...asked, body: { ...first, secrets: [] } }
      for (const input of [asked, same]) {
        const refusal: unknown = await createSession(who, input).catch((error: unknown) => error)
        expect(refusal).toMatchObject({ code: 'IDEMPOTENCY_KEY_CONFLICT', details: {} })
        expect(JSON.stringify(refusal)).not.toContain(mine.session_id)
      }
    }
    await deleteSession(ctx, { project_id, session_id: mine.session_id })
    const asked = { project_id: foreign.project_id, respond_async: false, idempotency_key: key, body: {} }
    await expect(createSession(foreign.ctx, asked)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
    })
  })

  test('a key from before its fields had hashes still answers its own request alone', async () => {
    const key = randomUUID()
    const { session_id } = await create({ initial_prompt: 'x', secrets: [] }, key)
    const body = { initial_prompt: 'x', secrets: [] }
    const request_hash = createHash('sha256').update(canonicalJson(body)).digest('hex')
    await world.db
      .updateTable('session_idempotency_keys')
      .set({ request_hash, created_by: null })
      .set(sql`field_hashes`, null)
      .where('idempotency_key', '=', key)
      .execute()
    expect((await create(body, key)).session_id).toBe(session_id)
    await expect(create({ initial_prompt: 'x' }, key)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
    })
  })

  test('the key of a deleted session is used up', async () => {
    const key = randomUUID()
    const { session_id } = await create({}, key)
    await deleteSession(ctx, { project_id, session_id })
    await expect(create({}, key)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_SESSION_DELETED' })
  })

  test('a request that was refused leaves its key free', async () => {
    const key = randomUUID()
    await expect(create({ session_id: (await create()).session_id }, key)).rejects.toMatchObject({
      code: 'SESSION_ID_TAKEN',
    })
    expect((await create({}, key)).status).toBe('provisioning')
  })
})

test('the account runs as many sessions as its tier allows, however many are asked for at once', async () => {
  const owner = await addOwner(world, 'free')
  const own = await makeProject(world, owner)
  const input = { project_id: own.project_id, respond_async: false, body: {} }
  const ends = await Promise.all(Array.from({ length: 8 }, () => endOf(createSession(own.ctx, input))))
  expect(ends.filter((end) => end === 'done')).toHaveLength(3)
  expect(new Set(ends)).toEqual(new Set(['done', 'session_limit_reached']))
  await expect(createSession(own.ctx, input)).rejects.toMatchObject({
    details: { limit: 3, retry_after: 30 },
  })

  const repeat = { ...input, idempotency_key: randomUUID() }
  const live = await world.db
    .selectFrom('project_sessions')
    .select('session_id')
    .where('project_id', '=', own.project_id)
    .execute()
  await world.queue.drain()
  world.queue.live = true
  await stopSession(own.ctx, { project_id: own.project_id, session_id: live[0]?.session_id ?? '' })
  // The last place goes to one session, however often a caller asks for it.
  const same = await Promise.all([1, 2, 3].map(() => endOf(createSession(own.ctx, repeat))))
  expect(same).toEqual(['done', 'done', 'done'])
  await world.queue.settled()
  world.queue.live = false
})

test('the operator may set another cap', async () => {
  const owner = await addOwner(world, 'free')
  const own = await makeProject(world, owner)
  const capped = world.as(owner.principal, { settings: { ...world.base.settings, session_cap: 1 } })
  await newSession(world, own, {}, capped)
  await expect(newSession(world, own, {}, capped)).rejects.toMatchObject({ code: 'session_limit_reached' })
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
