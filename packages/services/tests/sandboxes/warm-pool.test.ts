import { authenticate } from '@svc/context'
import { createMemoryProvider, type MemoryProvider } from '@svc/sandbox/providers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  deleteSession,
  destroySandbox,
  drainPool,
  fillPool,
  provisionSandbox,
  putSecret,
  type SandboxContext,
  type WarmPool,
} from '../../src/index.ts'
import { dieAt } from '../support/faults.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, type TestSession } from '../../src/testing/sessions.ts'
import { createWarmDaemons } from '../support/warm-daemons.ts'
import { openWorld } from '../../src/testing/world.ts'

const stride = process.env['SVC_LONG_TESTS'] ? 1 : 5
const world = await openWorld({ session_cap: 1000 })
const project = await makeProject(world)
await putSecret(project.ctx, { project_id: project.project_id, name: 'API_KEY', value: 'secret value 1' })
const daemons = createWarmDaemons()
afterAll(() => daemons.close())

let provider: MemoryProvider
let pool: WarmPool & { size: number }
let pools = 0
beforeEach(async () => {
  world.queue.drop()
  world.daemon.repo = { state: 'ready' }
  pools += 1
  pool = { size: 1, pool: `pool ${pools}`, recipe: 'version 1', warming_ms: 120_000 }
  // Sandboxes that are made for a session have the usual daemon, those of the pool one each that waits.
  provider = createMemoryProvider({
    endpoint: (external_id) => {
      const isWarm = provider.sandboxes.get(external_id)?.spec.labels?.['warm_id'] !== undefined
      return { url: isWarm ? daemons.of(external_id).url : world.daemon.url }
    },
  })
  await daemons.prepare(3)
})

type Warm = SandboxContext & { readonly warm_pool: WarmPool }
const worker = (overrides: Partial<SandboxContext> = {}): Warm => ({
  ...world.worker({ provider, ...overrides }),
  warm_pool: pool,
})
const rows = () =>
  world.db
    .selectFrom('warm_sandboxes')
    .selectAll()
    .where('pool', '=', pool.pool)
    .orderBy('created_at')
    .execute()
const states = async () => (await rows()).map(({ state }) => state)
const running = () => [...provider.sandboxes.values()].filter((sandbox) => sandbox.running).length
const environmentOf = async (session: TestSession) =>
  provider.sandboxes.get((await session.sandbox()).external_id ?? '')?.environment ?? {}

test('a waiting sandbox has a key of its own and nothing of any project', async () => {
  await fillPool(worker())
  const [row] = await rows()
  expect(row).toMatchObject({ state: 'ready', session_id: null })
  const { environment } = provider.sandboxes.get(row?.external_id ?? '') ?? {}
  expect(environment).toEqual({
    SVC_API_URL: 'https://svc.example.test/v1',
    SVC_LLM_BASE_URL: 'https://models.example.test/v1',
    SVC_WARM_KEY: expect.stringMatching(/^svc_sbx_/),
    SVC_WARM_SECONDS: expect.stringMatching(/^\d+$/),
  })
  const key = environment?.['SVC_WARM_KEY'] ?? ''
  expect(JSON.stringify(row)).not.toContain(key)
  expect(await authenticate(world.base, key).catch(() => null)).toBeNull()
})

test('a session takes the waiting sandbox, with its environment, its secrets and its own key', async () => {
  await fillPool(worker())
  const [row] = await rows()
  const external_id = row?.external_id ?? ''
  const key = provider.sandboxes.get(external_id)?.environment['SVC_WARM_KEY']
  const session = await newSession(world, project, { initial_prompt: 'Begin' })
  await provisionSandbox(worker(), session.key)

  expect(await session.row()).toMatchObject({ status: 'running', runtime_status: 'active', external_id })
  expect(await states()).toEqual([])
  const [claim, ...more] = daemons.of(external_id).claims
  expect(more).toEqual([])
  expect(claim?.key).toBe(`Bearer ${key}`)
  expect(claim?.environment).toMatchObject({
    API_KEY: 'secret value 1',
    SVC_SESSION_ID: session.session_id,
    SVC_INITIAL_PROMPT: 'Begin',
    SVC_SESSION_IS_NEW: '1',
  })
  // The environment after a stop is the session's as well.
  expect(await environmentOf(session)).toEqual(claim?.environment)
  const identity = await authenticate(world.base, claim?.environment['SVC_SANDBOX_TOKEN'] ?? '')
  expect(identity).toMatchObject({ type: 'sandbox', ...session.key })
})

test('several workers together keep the pool at its size', async () => {
  pool.size = 3
  await Promise.all([fillPool(worker()), fillPool(worker()), fillPool(worker())])
  await fillPool(worker())
  expect(await states()).toEqual(['ready', 'ready', 'ready'])
  expect(running()).toBe(3)
})

test('sessions that come at once never share one, and those that find none get one of their own', async () => {
  pool.size = 2
  await fillPool(worker())
  const sessions = await Promise.all([1, 2, 3, 4].map(() => newSession(world, project)))
  await Promise.all(sessions.map((session) => provisionSandbox(worker(), session.key)))
  const found = await Promise.all(sessions.map(async (session) => session.row()))
  expect(found.map(({ status }) => status)).toEqual(['running', 'running', 'running', 'running'])
  expect(new Set(found.map(({ external_id }) => external_id)).size).toBe(4)
  expect(await states()).toEqual([])
  expect(running()).toBe(4)
})

test.each([
  ['refuses the session', (external_id: string) => (daemons.of(external_id).refuses = true)],
  ['died while it waited', (external_id: string) => void daemons.of(external_id).close()],
  ['is gone with its machine', (external_id: string) => void provider.destroy(external_id)],
])('a sandbox that %s is removed, and the session gets another', async (_, spoil) => {
  await fillPool(worker())
  const external_id = (await rows())[0]?.external_id ?? ''
  spoil(external_id)
  const session = await newSession(world, project)
  await provisionSandbox(worker(), session.key)
  const row = await session.row()
  expect(row).toMatchObject({ status: 'running', runtime_status: 'active' })
  expect(row.external_id).not.toBe(external_id)
  expect(provider.sandboxes.has(external_id)).toBe(false)
  const { SVC_SANDBOX_TOKEN = '' } = await environmentOf(session)
  expect(await authenticate(world.base, SVC_SANDBOX_TOKEN)).toMatchObject(session.key)
  await fillPool({ ...worker(), warm_pool: { ...pool, size: 0 } })
  expect(await states()).toEqual([])
})

test('a worker that dies at any step leaves a session that comes up with one sandbox, which knows its key', async () => {
  let died = true
  for (let step = 1; died; step += stride) {
    await daemons.prepare(2)
    await fillPool(worker())
    const session = await newSession(world, project, { initial_prompt: 'Begin' })
    const fault = dieAt(step)
    const { db, repositories } = world.base
    const dying = worker({ db: fault.db(db), repositories: fault.repositories(repositories) })
    await provisionSandbox(dying, session.key).catch((error: unknown) => {
      if (!fault.died) throw error
    })
    died = fault.died
    await provisionSandbox(worker(), session.key)
    const row = await session.row()
    expect(row, `step ${step}`).toMatchObject({ status: 'running', runtime_status: 'active' })
    const { SVC_SANDBOX_TOKEN = '', SVC_SESSION_ID } = await environmentOf(session)
    expect(SVC_SESSION_ID, `step ${step}`).toBe(session.session_id)
    expect(await authenticate(world.base, SVC_SANDBOX_TOKEN), `step ${step}`).toMatchObject(session.key)
    // A sandbox that waited and was not taken is still there for the next, and nothing else is.
    expect(running(), `step ${step}`).toBe(1 + (await states()).filter((state) => state === 'ready').length)
    await deleteSession(project.ctx, session.key)
    await destroySandbox(worker(), session.key)
    expect(running(), `step ${step}`).toBe((await states()).filter((state) => state === 'ready').length)
  }
})

test('a worker that dies while it fills the pool leaves nothing that the next does not remove', async () => {
  let died = true
  for (let step = 1; died; step += 1) {
    await daemons.prepare(2)
    const fault = dieAt(step)
    await fillPool(worker({ db: fault.db(world.base.db) })).catch((error: unknown) => {
      if (!fault.died) throw error
    })
    died = fault.died
    world.clock.advance(3 * 60_000)
    await fillPool(worker())
    expect(await states(), `step ${step}`).toEqual(['ready'])
    expect(running(), `step ${step}`).toBe(1)
    await drainPool(worker())
    expect(provider.sandboxes.size, `step ${step}`).toBe(0)
  }
})

test('what is old, dead, too many or of another version goes; another deployment’s stays', async () => {
  pool.size = 2
  await fillPool(worker())
  const other = { ...pool, pool: `other of ${pool.pool}` }
  await fillPool({ ...worker(), warm_pool: { ...other, size: 1 } })
  const [first] = await rows()
  provider.crash(first?.external_id ?? '')
  await daemons.prepare(4)
  await fillPool(worker())
  expect(await states()).toEqual(['ready', 'ready'])
  expect((await rows()).some(({ warm_id }) => warm_id === first?.warm_id)).toBe(false)

  pool.size = 1
  await fillPool(worker())
  expect(await states()).toEqual(['ready'])
  pool = { ...pool, recipe: 'version 2' }
  const session = await newSession(world, project)
  await provisionSandbox(worker(), session.key)
  expect(await states()).toEqual(['ready'])
  world.clock.advance(2 * 60_000)
  await fillPool(worker())
  expect((await rows()).map(({ recipe }) => recipe)).toEqual(['version 2'])
  const [fresh] = await rows()
  world.clock.advance(31 * 60_000)
  await fillPool(worker())
  expect((await rows()).map(({ warm_id }) => warm_id)).not.toContain(fresh?.warm_id)

  await drainPool(worker())
  expect(await states()).toEqual([])
  const theirs = await world.db
    .selectFrom('warm_sandboxes')
    .select('state')
    .where('pool', '=', other.pool)
    .execute()
  expect(theirs).toEqual([{ state: 'ready' }])
})

test('a session with a template of its own gets a sandbox of its own', async () => {
  const shaped = await makeProject(world)
  await shaped.commit('main', {
    'svc.yaml':
      'svc_version: 2\ndefault_agent: default\nagents:\n  default: {}\nsandbox:\n  default: big\n  templates:\n    - slug: big\n      image: example/big:1\n      cpu: 1\n      memory: 1\n',
  })
  await fillPool(worker())
  const session = await newSession(world, shaped)
  await provisionSandbox(worker(), session.key)
  expect(await session.row()).toMatchObject({ status: 'running' })
  expect(await states()).toEqual(['ready'])
})

test('of several providers the one that made it is named, and who asks for one gets a sandbox of its own', async () => {
  const members = ['docker', 'process']
  const several: MemoryProvider = { ...provider, name: members.join(), members, providerOf: () => 'docker' }
  await fillPool(worker({ provider: several }))
  const asking = await newSession(world, project, { provider: 'process' })
  await provisionSandbox(worker({ provider: several }), asking.key)
  expect(await asking.row()).toMatchObject({ status: 'running' })
  expect(await states()).toEqual(['ready'])
  const session = await newSession(world, project)
  await provisionSandbox(worker({ provider: several }), session.key)
  expect(await states()).toEqual([])
  expect((await session.row()).sandbox_provider).toBe('docker')
})
