import { SandboxError } from '@svc/sandbox'
import { beforeEach, expect, test } from 'vitest'
import { getSession, provisionSandbox, putSecret, startSession, stopSession } from '../../src/index.ts'
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
  const dockerfile = (await spec?.template?.build?.files()[Symbol.asyncIterator]().next())?.value
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
