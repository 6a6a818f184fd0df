import { authenticate } from '@svc/context'
import { sessionEvents, sessionPrompts } from '@svc/db'
import type { KyselyPlugin } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { deleteSession, getSession, provisionSandbox, putSecret } from '../../src/index.ts'
import { dieAt } from '../support/faults.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

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
  // The first of them asks whether the machine is being emptied.
  expect(asked).toBe(18)
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
