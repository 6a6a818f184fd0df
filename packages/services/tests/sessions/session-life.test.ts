import { authenticate } from '@svc/context'
import { sessionEvents, sessionPrompts } from '@svc/db'
import { beforeEach, expect, test } from 'vitest'
import {
  deliverPrompts,
  getCloneCredential,
  promptSession,
  provisionSandbox,
  reportTurnPermission,
  reportTurnQuestion,
  reportTurnStream,
  restartSession,
  startSession,
  stopSandbox,
  stopSession,
  sweepIdleSandboxes,
} from '../../src/index.ts'
import { addOwner } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { ctx } = project
beforeEach(async () => {
  await world.queue.settled()
  world.queue.live = false
  world.queue.drop()
})
const sandboxOf = (external_id: string | null) => world.provider.sandboxes.get(external_id ?? '')
const turnsOf = async ({ session_id }: TestSession) =>
  (await sessionEvents.listAfter(world.db, session_id, 0, 100))
    .filter(({ type }) => type === 'turn')
    .map(({ payload }) => payload)

test('stop and start keep the sandbox, its files and its tokens', async () => {
  const session = await runningSession(world, project)
  const { SVC_CLI_TOKEN = '' } = await session.environment()
  const { external_id } = await session.row()
  world.queue.live = true
  expect(await stopSession(ctx, session.key)).toMatchObject({
    status: 'stopped',
    stop_reason: 'user',
    runtime_status: 'stopped',
    stopped_at: world.clock.now(),
  })
  expect(sandboxOf(external_id)?.running).toBe(false)
  expect(await stopSession(ctx, session.key)).toMatchObject({ status: 'stopped' })
  expect(await startSession(ctx, session.key)).toMatchObject({
    status: 'running',
    external_id,
    stop_reason: null,
  })
  expect(sandboxOf(external_id)).toMatchObject({ running: true, starts: 2 })
  expect(await authenticate(world.base, SVC_CLI_TOKEN)).toMatchObject(session.key)
  expect(await startSession(ctx, session.key)).toMatchObject({ status: 'running' })
  expect(sandboxOf(external_id)?.starts).toBe(2)
})

test('stopped and started again before anybody stopped the sandbox: it runs on', async () => {
  const session = await runningSession(world, project)
  const early = AbortSignal.abort()
  const hurried = world.as(project.owner.principal, { signal: early })
  await stopSession(hurried, session.key)
  world.clock.advance(60_000)
  await startSession(hurried, session.key)
  await world.queue.drain()
  expect(await session.row()).toMatchObject({ status: 'running', runtime_status: 'active' })
  expect((await session.sandbox()).last_active_at).toEqual(world.clock.now())
})

test('started again while the sandbox is being stopped: it runs, and is taken for one that runs', async () => {
  const session = await runningSession(world, project)
  const hurried = world.as(project.owner.principal, { signal: AbortSignal.abort() })
  await stopSession(hurried, session.key)
  world.queue.drop()
  const { provider } = world
  const stop = async (external_id: string) => {
    await provider.stop(external_id)
    await startSession(hurried, session.key)
  }
  await stopSandbox(world.worker({ provider: { ...provider, stop } }), session.key)
  expect(await session.row()).toMatchObject({ status: 'provisioning', runtime_status: 'provisioning' })
  await world.queue.drain()
  expect(await session.row()).toMatchObject({ status: 'running', runtime_status: 'active' })
  // The sweep of idle sandboxes looks for active ones alone.
  world.clock.advance(3_600_000)
  expect(await sweepIdleSandboxes(world.base)).toBeGreaterThanOrEqual(1)
  expect(world.queue.drop()).toContainEqual({ name: 'sandbox.hibernate', id: session.session_id })
})

test('restart makes another sandbox with other tokens, and the old ones are of no use', async () => {
  const session = await runningSession(world, project, { initial_prompt: 'Begin' })
  const before = await session.environment()
  const old = await session.row()
  const prompt_id = before.SVC_INITIAL_PROMPT_ID ?? ''
  await reportTurnStream(await session.daemon(), { ...session.key, kind: 'turn_begin', prompt_id })
  await reportTurnStream(await session.daemon(), {
    ...session.key,
    kind: 'turn_end',
    prompt_id,
    status: 'completed',
  })
  expect((await restartSession(ctx, session.key)).status).toBe('provisioning')
  for (const name of ['SVC_CLI_TOKEN', 'SVC_LLM_API_KEY']) {
    await expect(authenticate(world.base, before[name] ?? '')).rejects.toMatchObject({
      code: 'session_token_revoked',
    })
  }
  await world.queue.drain()
  const row = await session.row()
  const after = await session.environment()
  expect(row.status).toBe('running')
  expect(row.external_id).not.toBe(old.external_id)
  expect(sandboxOf(old.external_id)).toBeUndefined()
  for (const name of ['SVC_SANDBOX_TOKEN', 'SVC_CLI_TOKEN', 'SVC_LLM_API_KEY']) {
    expect(after[name]).not.toBe(before[name])
    expect(await authenticate(world.base, after[name] ?? '')).toMatchObject(session.key)
  }
  await expect(authenticate(world.base, before.SVC_SANDBOX_TOKEN ?? '')).rejects.toMatchObject({
    code: 'unauthorized',
  })
  // A prompt that was delivered is not given again.
  expect(after).not.toHaveProperty('SVC_INITIAL_PROMPT')
})

test('a session that ended and gave its place away while it was drained is not restarted without room', async () => {
  const own = await makeProject(world, await addOwner(world, 'free'))
  const [session] = [
    await runningSession(world, own),
    await newSession(world, own),
    await newSession(world, own),
  ]
  const hurried = world.as(own.owner.principal, { signal: AbortSignal.abort() })
  world.daemon.beforeAnswer = async () => {
    world.daemon.beforeAnswer = async () => undefined
    await stopSession(hurried, session.key)
    await newSession(world, own)
  }
  await expect(restartSession(own.ctx, session.key)).rejects.toMatchObject({ code: 'session_limit_reached' })
})

test('what the old sandbox had accepted and not begun is owed to the new one', async () => {
  const session = await runningSession(world, project, { initial_prompt: 'Begin' })
  const second = await promptSession(ctx, { ...session.key, text: 'second' })
  await world.queue.drain()
  const first = (await session.environment()).SVC_INITIAL_PROMPT_ID ?? ''
  await reportTurnStream(await session.daemon(), { ...session.key, kind: 'turn_begin', prompt_id: first })
  world.daemon.prompts.splice(0)
  await restartSession(ctx, session.key)
  await world.queue.drain()
  expect(world.daemon.prompts.map((prompt) => prompt.prompt_id)).toEqual([second.prompt_id])
  const states = await world.db
    .selectFrom('session_prompts')
    .select(['prompt_id', 'state'])
    .where('session_id', '=', session.session_id)
    .orderBy('position')
    .execute()
  expect(states).toEqual([
    { prompt_id: first, state: 'failed' },
    { prompt_id: second.prompt_id, state: 'delivered' },
  ])
})

test('a sandbox that was replaced while its report was on the way changes nothing of the next one', async () => {
  const session = await runningSession(world, project, { initial_prompt: 'Begin' })
  const prompt_id = (await session.environment()).SVC_INITIAL_PROMPT_ID ?? ''
  const old = await session.daemon()
  const reports = [
    { kind: 'turn_begin', prompt_id },
    { kind: 'turn_end', prompt_id, status: 'completed' },
    { kind: 'execution_heartbeat', lease_ttl_seconds: 120 },
    { kind: 'execution_lease_release' },
    { kind: 'runtime_session', runtime_session_id: 'of-the-old-one' },
  ] as const
  const { key } = session
  const event = { event_id: 'late', type: 'file' as const, at: '2026-03-01T10:00:00Z', payload: {} }
  const calls = [
    ...reports.map((report) => () => reportTurnStream(old, { ...key, ...report })),
    () => reportTurnStream(old, { ...key, kind: 'events', events: [event] }),
    () => reportTurnQuestion(old, { ...key, request_id: 'late', questions: [{}] }),
    () => reportTurnPermission(old, { ...key, request_id: 'late', permission: 'bash', patterns: [] }),
    () => getCloneCredential(old, key),
  ]
  const refused = async () => {
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'unauthorized' })
  }
  await restartSession(ctx, session.key)
  await refused()
  await world.queue.drain()
  await refused()
  expect(await session.sandbox()).toMatchObject({ lease_expires_at: null, runtime_session_id: null })
  const logged = await sessionEvents.listAfter(world.db, session.session_id, 0, 100)
  expect(new Set(logged.map(({ type }) => type))).toEqual(new Set(['status', 'prompt']))
  // The next sandbox was born with the prompt: its turn is told once, and by that one.
  expect((await session.environment()).SVC_INITIAL_PROMPT_ID).toBe(prompt_id)
  await reportTurnStream(await session.daemon(), { ...session.key, kind: 'turn_begin', prompt_id })
  expect(await turnsOf(session)).toEqual([{ prompt_id, state: 'begin' }])
})

test('a prompt that the old sandbox took while it was replaced is given to the next one', async () => {
  const session = await runningSession(world, project)
  const { prompt_id } = await promptSession(ctx, { ...session.key, text: 'Go' })
  world.daemon.prompts.splice(0)
  world.daemon.beforeAnswer = async () => {
    world.daemon.beforeAnswer = async () => undefined
    await restartSession(ctx, session.key)
    await provisionSandbox(world.worker(), session.key)
  }
  await deliverPrompts(world.worker(), session.key)
  expect(world.daemon.prompts).toHaveLength(1)
  await world.queue.drain()
  const { SVC_SANDBOX_TOKEN } = await session.environment()
  expect(world.daemon.prompts).toMatchObject([
    { prompt_id },
    { prompt_id, authorization: `Bearer ${SVC_SANDBOX_TOKEN}` },
  ])
  expect(await sessionPrompts.find(world.db, { ...session.key, prompt_id })).toMatchObject({
    state: 'delivered',
  })
})
