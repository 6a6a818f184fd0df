import { randomUUID } from 'node:crypto'
import { harnessLicences, machines, sessionRuntimes } from '@svc/db'
import { knownHarness, licencesOf, pinnedVersion } from '@svc/harness'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  createSession,
  getSessionRuntime,
  listHarnesses,
  listProjectHarnesses,
  nodeMajor,
} from '../../src/index.ts'
import { makeProject, type TestProject } from '../../src/testing/projects.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
let project: TestProject
beforeEach(async () => {
  project = await makeProject(world)
})

async function newSession(body: Parameters<typeof createSession>[1]['body'] = {}) {
  const made = await createSession(project.ctx, {
    ...{ project_id: project.project_id, respond_async: false, body },
  })
  if (made.kind !== 'created') throw new Error(made.reason)
  return made.session
}

const agentFile = (head: string) => `---\n${head}\n---\nBe kind.\n`

/** A manifest with these lines, and the file of each agent. */
async function declare(lines: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  const agents = Object.fromEntries(
    Object.entries(files).map(([name, head]) => [`.svc/agentrt/agents/${name}.md`, agentFile(head)]),
  )
  await project.commit('main', {
    'svc.yaml': `svc_version: 2\ndefault_agent: a\nagents: { a: {}, b: {} }\n${lines}\n`,
    ...agents,
  })
}

const runtimeOf = async (session_id: string) => sessionRuntimes.find(world.db, session_id)

test('the creator’s word counts before the agent’s file, that before the manifest, and all before the runtime', async () => {
  await declare('harness: codex\nruntime: pi', { b: 'harness: gemini\nvariant: high' })
  const named = async (body: object) => (await newSession(body)).harness
  expect(await named({})).toBe('codex')
  expect(await named({ agent_name: 'b' })).toBe('gemini')
  expect(await named({ agent_name: 'b', harness: 'opencode' })).toBe('opencode')
  expect(await named({ harness: 'pi' })).toBe('pi')
  await declare('runtime: pi')
  expect(await named({})).toBe('pi')
  await declare('')
  expect(await named({})).toBe('agentrt')
})

test('it is read from the default branch when the session is made, and stays', async () => {
  await declare('harness: mine\nharnesses:\n  mine: { command: [node, agent.mjs], env: { LOG: warn } }', {
    a: 'variant: high',
  })
  const { session_id, harness, harness_version } = await newSession()
  expect([harness, harness_version]).toEqual(['mine', null])
  await declare('harness: codex')
  expect(await runtimeOf(session_id)).toMatchObject({
    ...{ harness: 'mine', auth: 'gateway', state: 'starting' },
    settings: { command: ['node', 'agent.mjs'], env: { LOG: 'warn' }, variant: 'high', dialect: 'chat' },
  })
  expect(await getSessionRuntime(project.ctx, { project_id: project.project_id, session_id })).toMatchObject({
    ...{ harness: 'mine', metered: true, capabilities: { revert: false, questions: true } },
  })
})

test('a name that nothing has is refused with those that there are', async () => {
  await expect(newSession({ harness: 'claud' })).rejects.toMatchObject({
    code: 'HARNESS_UNKNOWN',
    message: expect.stringContaining('did you mean claude?'),
    details: { harness: 'claud', known: expect.arrayContaining(['codex', 'agentrt']) },
  })
})

test('a proprietary licence is asked for until this very text is accepted, and again once that is taken back', async () => {
  const [text] = licencesOf('claude', '0.49.0')
  const start = () => newSession({ harness: 'claude' })
  const required = { code: 'HARNESS_LICENCE_REQUIRED', details: { harness: 'claude', sha256: text?.sha256 } }
  await expect(start()).rejects.toMatchObject(required)
  const now = new Date()
  const accept = (sha256: string) =>
    harnessLicences.accept(world.db, {
      ...{ licence_id: randomUUID(), harness: 'claude', sha256, text_url: null },
      ...{ accepted_by: project.owner.user_id, accepted_at: now },
    })
  // As a text that was accepted under an earlier release, and has changed since.
  await accept('0'.repeat(64))
  await expect(start()).rejects.toMatchObject(required)
  await accept(text?.sha256 ?? '')
  expect((await start()).harness).toBe('claude')
  expect(await harnessLicences.revoke(world.db, 'claude', project.owner.user_id, now)).toBe(2)
  await expect(start()).rejects.toMatchObject(required)
})

test.each([
  [{ allowed: ['codex'] }, 'gemini', 'operator', 'codex'],
  [{ auths: ['secrets'] }, 'gemini', 'operator', 'SVC_HARNESS_AUTH'],
] as const)('the operator’s rule %j refuses %s', async (rule, harness, reason, word) => {
  const policy = {
    allowed: 'all',
    auths: ['gateway'],
    install: 'demand',
    silence_seconds: 600,
    ...rule,
  } as const
  const settings = { ...project.ctx.settings, harnesses: policy }
  const ctx = world.as(project.ctx.principal, { settings })
  const create = createSession(ctx, {
    ...{ project_id: project.project_id, respond_async: false, body: { harness } },
  })
  await expect(create).rejects.toMatchObject({
    ...{ code: 'HARNESS_UNAVAILABLE', message: expect.stringContaining(word), details: { harness, reason } },
  })
})

test('a harness that no image of the sandboxes holds is refused, until a machine’s does or keeps a store', async () => {
  const known = knownHarness('codex')
  const pin = known && pinnedVersion(known, nodeMajor)
  const see = (machine: string, provider: string, harnesses: 'store' | readonly string[]) =>
    machines.see(world.db, {
      ...{ machine, provider, seen_at: project.ctx.now() },
      harnesses: [{ provider, harnesses }],
    })
  await see('m1', 'kubernetes', ['codex@0.0.1'])
  onTestFinished(async () => {
    await world.db.deleteFrom('machines').execute()
  })
  await expect(newSession({ harness: 'codex' })).rejects.toMatchObject({
    code: 'HARNESS_UNAVAILABLE',
    message: expect.stringMatching(
      /^Sandboxes of kubernetes do not hold Codex .*make-image\.mjs --harness codex$/,
    ),
    details: { harness: 'codex', reason: 'provider' },
  })
  const codex = async () => (await listHarnesses(project.ctx)).harnesses.find(({ name }) => name === 'codex')
  expect(await codex()).toMatchObject({ available: false, reason: 'provider' })

  await see('m2', 'docker', 'store')
  expect((await newSession({ harness: 'codex' })).harness).toBe('codex')
  expect((await newSession({ harness: 'codex', provider: 'auto' })).harness).toBe('codex')
  expect(await codex()).toMatchObject({ available: true })
  const onCluster = () => newSession({ harness: 'codex', provider: 'kubernetes' })
  await expect(onCluster()).rejects.toMatchObject({ details: { reason: 'provider' } })
  await see('m1', 'kubernetes', [`codex@${pin}`])
  expect((await onCluster()).harness).toBe('codex')
})

test('a program of an image is said to be one, and whether that has it is known at the start', async () => {
  const { harnesses } = await listHarnesses(project.ctx)
  expect(harnesses.find(({ name }) => name === 'goose')).toMatchObject({
    ...{ available: true, reason: null },
    message: expect.stringContaining('has to bring the command goose'),
  })
})

test('a machine whose worker does not say what its sandboxes may have is no reason to refuse', async () => {
  const seen_at = project.ctx.now()
  await machines.see(world.db, { machine: 'm1', provider: 'kubernetes', seen_at })
  await machines.see(world.db, {
    ...{ machine: 'm2', provider: 'kubernetes', seen_at },
    harnesses: [{ provider: 'kubernetes', harnesses: [] }],
  })
  onTestFinished(async () => {
    await world.db.deleteFrom('machines').execute()
  })
  expect((await newSession({ harness: 'codex' })).harness).toBe('codex')
})

test('one’s own subscription needs the token among one’s personal secrets', async () => {
  await declare('harness: codex\nharnesses:\n  codex: { auth: personal }')
  const policy = { allowed: 'all', auths: ['personal'], install: 'demand', silence_seconds: 600 } as const
  const ctx = world.as(project.ctx.principal, { settings: { ...project.ctx.settings, harnesses: policy } })
  const create = () => createSession(ctx, { project_id: project.project_id, respond_async: false, body: {} })
  await expect(create()).rejects.toMatchObject({
    code: 'HARNESS_UNAVAILABLE',
    details: { reason: 'credential' },
    message: expect.stringContaining('CODEX_ACCESS_TOKEN'),
  })
})

test('the harness is part of a request with an Idempotency-Key', async () => {
  const create = (harness: string) =>
    createSession(project.ctx, {
      ...{ project_id: project.project_id, respond_async: false, idempotency_key: 'k' },
      body: { harness },
    })
  await create('codex')
  await expect(create('gemini')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_CONFLICT' })
})

test('a project shows the harness of each agent, and its own programs', async () => {
  await declare('harness: mine\nharnesses:\n  mine: { command: [agent], dialect: none }', {
    b: 'harness: codex',
  })
  const { harnesses, ...found } = await listProjectHarnesses(project.ctx, { project_id: project.project_id })
  expect(found).toEqual({ default: 'mine', agents: { a: 'mine', b: 'codex' } })
  expect(harnesses.find(({ name }) => name === 'mine')).toMatchObject({ source: 'manifest', available: true })
  expect(harnesses.find(({ name }) => name === 'claude')).toMatchObject({
    available: false,
    reason: 'licence',
  })
})
