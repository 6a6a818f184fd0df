import { authenticate } from '@svc/context'
import { sessionEvents, sessionPrompts } from '@svc/db'
import { SandboxError } from '@svc/sandbox'
import type { KyselyPlugin } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import {
  deleteSession,
  getSession,
  provisionSandbox,
  putSecret,
  startSession,
  stopSession,
} from '../src/index.ts'
import { dieAt } from './support/faults.ts'
import { makeProject } from '../src/testing/projects.ts'
import { newSession, runningSession } from '../src/testing/sessions.ts'
import { openWorld } from '../src/testing/world.ts'

const world = await openWorld({ session_cap: 1000 })
const project = await makeProject(world)
const { project_id, ctx } = project
await putSecret(ctx, { project_id, name: 'API_KEY', value: 'secret value 1' })
await putSecret(ctx, { project_id, name: 'OTHER', value: 'secret value 2' })
beforeEach(() => {
  world.queue.drop()
  world.daemon.repo = { state: 'ready' }
})

test('a session comes up with everything that the document promises it', async () => {
  const session = await newSession(world, project, {
    initial_prompt: 'Begin',
    model: 'demo/model',
    runtime_context: { ticket: 7 },
  })
  await provisionSandbox(world.worker(), session.key)
  expect(await getSession(ctx, session.key)).toMatchObject({
    status: 'running',
    runtime_status: 'active',
    sandbox_provider: 'memory',
    started_at: world.clock.now(),
    error: null,
  })
  const [initial] = await sessionPrompts.list(world.db, session.session_id, { after: 0, limit: 1 })
  expect(initial?.state).toBe('delivered')
  const environment = await session.environment()
  expect(environment).toEqual({
    API_KEY: 'secret value 1',
    OTHER: 'secret value 2',
    SVC_PROJECT_ID: project_id,
    SVC_SESSION_ID: session.session_id,
    SVC_BRANCH_NAME: session.session_id,
    SVC_REPO_URL: `https://svc.example.test/v1/git/${project_id}.git`,
    SVC_DEFAULT_BRANCH: 'main',
    SVC_BASE_REF: 'main',
    SVC_SERVICE_PORT: '8000',
    SVC_API_URL: 'https://svc.example.test/v1',
    SVC_ASK_TIMEOUT_SECONDS: '1800',
    SVC_AGENT_NAME: 'default',
    SVC_AGENT_SKILLS: '"all"',
    SVC_SESSION_IS_NEW: '1',
    SVC_REPOSITORY_SENT: '1',
    SVC_AGENTRT_MODEL: 'demo/model',
    SVC_INITIAL_PROMPT: 'Begin',
    SVC_INITIAL_PROMPT_ID: initial?.prompt_id,
    SVC_PROJECT_AUTO_CLONE: '1',
    SVC_PROJECT_SECRET_NAMES: 'API_KEY,OTHER',
    SVC_PROJECT_SECRETS_REVISION: expect.stringMatching(/./),
    SVC_SANDBOX_TOKEN: expect.stringMatching(/^svc_sbx_/),
    SVC_TOKEN: environment.SVC_SANDBOX_TOKEN,
    SVC_CLI_TOKEN: expect.stringMatching(/^svc_pat_/),
    SVC_EXECUTOR_TOKEN: environment.SVC_CLI_TOKEN,
    SVC_BOOTSTRAP_AGENTRT_SESSION: '1',
    SVC_RUNTIME: 'agentrt',
    SVC_RUNTIME_CONTEXT: '{"ticket":7}',
    SVC_LLM_BASE_URL: 'https://models.example.test/v1',
    SVC_LLM_API_KEY: expect.stringMatching(/^svc_gw_/),
  })
  const { SVC_SANDBOX_TOKEN = '', SVC_CLI_TOKEN = '', SVC_LLM_API_KEY = '' } = environment
  expect(await authenticate(world.base, SVC_SANDBOX_TOKEN)).toMatchObject({ type: 'sandbox', ...session.key })
  expect(await authenticate(world.base, SVC_LLM_API_KEY)).toMatchObject({ type: 'gateway', ...session.key })
  expect(await authenticate(world.base, SVC_CLI_TOKEN)).toMatchObject({
    type: 'session',
    ...session.key,
    user_id: project.owner.user_id,
    merge_granted: false,
  })
  // The delivery of the inbox is asked for next; the log says what happened.
  expect(world.queue.waiting.map((job) => job.name)).toEqual(['sandbox.provision', 'prompts.deliver'])
  const events = await sessionEvents.listAfter(world.db, session.session_id, 0, 10)
  expect(events.map((event) => event.payload.status ?? event.type)).toEqual([
    'provisioning',
    'prompt',
    'running',
  ])
})

test('a start asks the database this often, beside beginning and ending its transactions', async () => {
  let asked = 0
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      asked += 1
      return Promise.resolve(result)
    },
  }
  const db = world.db.withPlugin(count)
  const session = await newSession(world, project, { initial_prompt: 'Begin' }, { ...ctx, db })
  expect(asked).toBe(7)
  asked = 0
  const { locks } = world.worker()
  await provisionSandbox(world.worker({ db, locks: locks.withPlugin(count) }), session.key)
  expect((await session.row()).status).toBe('running')
  expect(asked).toBe(17)
})

test('without a model gateway none is offered, and secrets are narrowed', async () => {
  const session = await newSession(world, project, { secrets: ['OTHER'] })
  const settings = { ...world.base.settings, llm_base_url: null }
  await provisionSandbox(world.worker({ settings }), session.key)
  const environment = await session.environment()
  expect(environment).toMatchObject({ OTHER: 'secret value 2', SVC_PROJECT_SECRET_NAMES: 'OTHER' })
  for (const name of [
    'API_KEY',
    'SVC_LLM_API_KEY',
    'SVC_LLM_BASE_URL',
    'SVC_AGENTRT_MODEL',
    'SVC_INITIAL_PROMPT',
  ]) {
    expect(environment).not.toHaveProperty(name)
  }
  const bare = await runningSession(world, project, { secrets: [] })
  expect((await bare.environment()).SVC_PROJECT_SECRET_NAMES).toBe('')
})

test('no row holds a token or a key that works', async () => {
  const session = await runningSession(world, project)
  const environment = await session.environment()
  const dump = JSON.stringify([
    await world.db.selectFrom('tokens').selectAll().execute(),
    await world.db.selectFrom('session_sandboxes').selectAll().execute(),
    await world.db.selectFrom('project_sessions').selectAll().execute(),
    await world.db.selectFrom('project_secrets').selectAll().execute(),
    await world.db.selectFrom('session_events').selectAll().execute(),
  ])
  for (const name of ['SVC_SANDBOX_TOKEN', 'SVC_CLI_TOKEN', 'SVC_LLM_API_KEY', 'API_KEY']) {
    expect(environment[name]).toBeDefined()
    expect(dump).not.toContain(environment[name])
  }
})

test('a worker that dies at any step is followed by one that ends with one sandbox whose key works', async () => {
  let died = true
  for (let step = 1; died; step += 1) {
    const session = await newSession(world, project, { initial_prompt: 'Begin' })
    const made = world.provider.sandboxes.size
    const fault = dieAt(step)
    const { db, repositories } = world.base
    const dying = world.worker({ db: fault.db(db), repositories: fault.repositories(repositories) })
    await provisionSandbox(dying, session.key).catch((error: unknown) => {
      if (!fault.died) throw error
    })
    died = fault.died
    await provisionSandbox(world.worker(), session.key)
    expect(await session.row()).toMatchObject({ status: 'running', runtime_status: 'active' })
    expect(world.provider.sandboxes.size).toBe(made + 1)
    const { SVC_SANDBOX_TOKEN = '', SVC_CLI_TOKEN = '' } = await session.environment()
    expect(await authenticate(world.base, SVC_SANDBOX_TOKEN)).toMatchObject(session.key)
    expect(await authenticate(world.base, SVC_CLI_TOKEN)).toMatchObject(session.key)
  }
})

test('a sandbox that was made and never written down goes with its session', async () => {
  const session = await newSession(world, project)
  const dying = {
    ...world.provider,
    create: async (...args: Parameters<typeof world.provider.create>) => {
      await world.provider.create(...args)
      throw new Error('the process died here')
    },
  }
  const made = world.provider.sandboxes.size
  await provisionSandbox(world.worker({ provider: dying }), session.key).catch(() => undefined)
  expect(world.provider.sandboxes.size).toBe(made + 1)
  await deleteSession(ctx, session.key)
  await world.queue.drain()
  expect(world.provider.sandboxes.size).toBe(made)
})

test('what the provider has no room for now is tried again, and fails in its words in the end', async () => {
  const session = await newSession(world, project)
  world.provider.failNext('create', new SandboxError('capacity', 'no room'))
  await expect(provisionSandbox(world.worker(), session.key)).rejects.toThrow('no room')
  expect((await session.row()).status).toBe('provisioning')
  await provisionSandbox(world.worker(), session.key)
  expect((await session.row()).status).toBe('running')

  const unlucky = await newSession(world, project)
  world.clock.advance(121_000)
  world.provider.failNext('create', new SandboxError('capacity', 'no room'))
  await provisionSandbox(world.worker(), unlucky.key)
  expect(await getSession(ctx, unlucky.key)).toMatchObject({
    status: 'failed',
    error: 'no room',
    failure: { category: 'capacity', message: 'no room', retryable: true },
  })
  await world.queue.drain()
  expect((await unlucky.row()).runtime_status).toBe('error')
})

test('what cannot be helped fails at once', async () => {
  const session = await newSession(world, project)
  world.provider.failNext('create', new SandboxError('image', 'no such image'))
  await provisionSandbox(world.worker(), session.key)
  expect(await session.row()).toMatchObject({
    status: 'failed',
    failure: { category: 'image', retryable: false },
  })
})

test("a clone that fails is told in the daemon's own words, whatever they hold", async () => {
  const session = await newSession(world, project)
  world.daemon.repo = { state: 'failed', error: 'fatal: could not read from remote\0 \ud83d' }
  await world.queue.drain()
  expect(await getSession(ctx, session.key)).toMatchObject({
    status: 'failed',
    runtime_status: 'error',
    error: expect.stringContaining('fatal: could not read from remote'),
    failure: { category: 'repository', retryable: true },
  })
  expect([...world.provider.sandboxes.values()].at(-1)?.running).toBe(false)
  world.daemon.repo = { state: 'ready' }
  world.queue.live = true
  expect(await startSession(ctx, session.key)).toMatchObject({
    status: 'running',
    error: null,
    failure: null,
  })
  await world.queue.settled()
  world.queue.live = false
})

test('a base that nobody merged chooses neither the template nor the runtime: the default branch does', async () => {
  const own = await makeProject(world)
  const shaped = (size: number, runtime: string) =>
    `svc_version: 2\nruntime: ${runtime}\ndefault_agent: default\nagents: { default: {} }\nsandbox:\n  default: shaped\n  templates: [{ slug: shaped, dockerfile: box/Dockerfile, cpu: ${size} }]\n`
  const files = (size: number, runtime: string) => ({
    'svc.yaml': shaped(size, runtime),
    'box/Dockerfile': `FROM box:${size}\n`,
  })
  await own.commit('main', files(1, 'agentrt'))
  await own.commit('evil', files(4, 'pi'))
  const session = await runningSession(world, own, { base_ref: 'evil' })
  expect(await session.environment()).toMatchObject({ SVC_RUNTIME: 'agentrt', SVC_BASE_REF: 'evil' })
  const { spec } = world.provider.sandboxes.get((await session.sandbox()).external_id ?? '') ?? {}
  expect(spec?.limits).toEqual({ cpu: 1 })
  const [dockerfile] = (await spec?.template?.build?.files()) ?? []
  expect(String(dockerfile?.content)).toBe('FROM box:1\n')
})

test('a session goes on when its branch and what it was cut from were deleted meanwhile', async () => {
  await project.commit('feature', { 'f.txt': 'x\n' })
  const session = await runningSession(world, project, { base_ref: 'feature' })
  world.queue.live = true
  await stopSession(ctx, session.key)
  await world.queue.settled()
  for (const branch of ['feature', session.session_id]) await project.git('branch', '-D', branch)
  expect(await startSession(ctx, session.key)).toMatchObject({ status: 'running', failure: null })
  await world.queue.settled()
  world.queue.live = false
})

test('a clone of a sandbox that has run before fails with the way out', async () => {
  const session = await runningSession(world, project)
  world.queue.live = true
  await stopSession(ctx, session.key)
  await world.queue.settled()
  world.daemon.repo = { state: 'failed', error: 'Configuring git: fatal: not a git repository' }
  expect(await startSession(ctx, session.key)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('not a git repository. If starting it again does not help, restart it'),
  })
  await world.queue.settled()
  world.queue.live = false
})

test('a sandbox that ends while it boots says so', async () => {
  const session = await newSession(world, project)
  const provider = {
    ...world.provider,
    create: async (...args: Parameters<typeof world.provider.create>) => {
      const created = await world.provider.create(...args)
      world.provider.crash(created.external_id, 'exited with code 1')
      return { ...created, endpoint: { url: 'http://127.0.0.1:1' } }
    },
    exitReport: async () => ({ exit: 'exited with code 1', output: `lots\0 of words ${'😀'.repeat(1500)}` }),
  }
  await provisionSandbox(world.worker({ provider }), session.key)
  const { failure } = await session.row()
  expect(failure?.category).toBe('exited')
  expect(failure?.message).toMatch(/^The sandbox ended while it booted \(exited with code 1\); it last said:/)
})
