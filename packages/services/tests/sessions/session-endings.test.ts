import { randomUUID } from 'node:crypto'
import { authenticate } from '@svc/context'
import { sandboxes, sessionEvents, sessionPrompts } from '@svc/db'
import { SandboxError } from '@svc/sandbox'
import { beforeEach, expect, test } from 'vitest'
import {
  checkSandbox,
  createChangeRequest,
  deleteSession,
  getChangeRequest,
  getSession,
  reportTurnPermission,
  reportTurnQuestion,
  reportTurnStream,
  restartSession,
  startSession,
  stopAllSandboxes,
  stopSession,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
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

test.each(['stopped', 'gone'] as const)(
  'a turn that began after the session had stopped has an end once its sandbox is %s',
  async (how) => {
    const session = await runningSession(world, project, { initial_prompt: 'Begin' })
    const prompt_id = (await session.environment()).SVC_INITIAL_PROMPT_ID ?? ''
    const { external_id } = await session.row()
    // Nothing works on the queue yet: a caller who leaves waits for nothing.
    const leaving = world.as(project.owner.principal, { signal: AbortSignal.abort() })
    await stopSession(leaving, session.key)
    await reportTurnStream(await session.daemon(), { ...session.key, kind: 'turn_begin', prompt_id })
    if (how === 'gone') {
      world.queue.drop()
      await world.provider.destroy(external_id ?? '')
      await startSession(leaving, session.key)
    }
    await world.queue.drain()
    expect(await turnsOf(session)).toMatchObject([
      { prompt_id, state: 'begin' },
      { prompt_id, state: 'end', status: 'interrupted' },
    ])
  },
)

test.each(['stopped', 'restarted', 'crashed', 'deleted'] as const)(
  'a turn of no prompt of ours, and what its agent asks, have an end in the log when the sandbox is %s',
  async (how) => {
    const session = await runningSession(world, project)
    const { key } = session
    const turn = { ...key, prompt_id: randomUUID() }
    const daemon = await session.daemon()
    const ask = { ...key, permission: 'bash', patterns: [] }
    await reportTurnStream(daemon, { ...turn, kind: 'turn_begin' })
    await reportTurnQuestion(daemon, { ...key, request_id: 'q', questions: [{ question: '?' }] })
    for (const request_id of ['waits', 'answered']) await reportTurnPermission(daemon, { ...ask, request_id })
    const at = '2026-03-01T10:00:00Z'
    const reported = (type: 'question' | 'permission', request_id: string, state: string) =>
      reportTurnStream(daemon, {
        ...key,
        kind: 'events',
        events: [{ event_id: `${type}:${request_id}:${state}`, type, at, payload: { request_id, state } }],
      })
    await reported('permission', 'answered', 'replied')
    const seq = (await session.row()).last_event_seq
    world.queue.live = true
    if (how === 'stopped') await stopSession(ctx, key)
    else if (how === 'restarted') await restartSession(ctx, key)
    else if (how === 'deleted') await deleteSession(ctx, key)
    else {
      world.provider.crash((await session.row()).external_id ?? '')
      await checkSandbox(world.worker(), key)
    }
    await world.queue.settled()
    if (how === 'stopped') {
      // Its daemon finds the turn cut short when it starts again, and has no more to say than that.
      await startSession(ctx, key)
      await reportTurnStream(daemon, { ...turn, kind: 'turn_end', status: 'interrupted' })
      await reported('question', 'q', 'expired')
    }
    const ends = (await sessionEvents.listAfter(world.db, session.session_id, seq, 100))
      .filter(({ type }) => type !== 'status')
      .map(({ type, payload }) => ({ type, ...payload }))
    expect(ends).toMatchObject([
      { type: 'permission', request_id: 'waits', state: 'expired' },
      { type: 'question', request_id: 'q', state: 'expired' },
      { type: 'turn', prompt_id: turn.prompt_id, state: 'end', status: 'interrupted' },
    ])
  },
)

test('delete ends the sandbox and every token, and keeps the branch and the change request without its link', async () => {
  const session = await runningSession(world, project)
  const environment = await session.environment()
  const { external_id } = await session.row()
  await project.commit(session.session_id, { 'work.txt': 'w\n' })
  const cr = await createChangeRequest(ctx, {
    ...session.key,
    title: 'Work',
    head_ref: session.session_id,
  })
  await deleteSession(ctx, session.key)
  await expect(getSession(ctx, session.key)).rejects.toMatchObject({ code: 'not_found' })
  await expect(deleteSession(ctx, session.key)).rejects.toMatchObject({ code: 'not_found' })
  for (const name of ['SVC_CLI_TOKEN', 'SVC_LLM_API_KEY', 'SVC_SANDBOX_TOKEN']) {
    await expect(authenticate(world.base, environment[name] ?? '')).rejects.toMatchObject({
      code: name === 'SVC_SANDBOX_TOKEN' ? 'unauthorized' : 'session_token_revoked',
    })
  }
  await world.queue.drain()
  expect(sandboxOf(external_id)).toBeUndefined()
  expect(await session.sandbox()).toMatchObject({
    status: 'archived',
    service_key_hash: null,
    sealed_service_key: null,
  })
  expect(await project.tip(session.session_id)).toMatch(/^[0-9a-f]{40}$/)
  const key = { project_id: session.key.project_id, cr: cr.cr_id }
  expect((await getChangeRequest(ctx, key)).change_request).toMatchObject({
    origin_session_id: null,
    status: 'open',
  })
})

test('a sandbox that ended by itself is found and told', async () => {
  const session = await runningSession(world, project, { initial_prompt: 'Begin' })
  const { external_id } = await session.row()
  const prompt_id = (await session.environment()).SVC_INITIAL_PROMPT_ID ?? ''
  await reportTurnStream(await session.daemon(), { ...session.key, kind: 'turn_begin', prompt_id })
  await checkSandbox(world.worker(), session.key)
  expect((await session.row()).status).toBe('running')
  world.provider.crash(external_id ?? '', 'killed by SIGKILL')
  await checkSandbox(world.worker(), session.key)
  expect(await getSession(ctx, session.key)).toMatchObject({
    status: 'stopped',
    stop_reason: 'sandbox_exited',
    runtime_status: 'stopped',
    error: 'The sandbox ended by itself (killed by SIGKILL); its files are kept',
    failure: { category: 'exited', retryable: true },
  })
  const events = await sessionEvents.listAfter(world.db, session.session_id, 0, 20)
  expect(events.at(-1)).toMatchObject({ type: 'turn', payload: { prompt_id, status: 'interrupted' } })
  const [initial] = await sessionPrompts.list(world.db, session.session_id, { after: 0, limit: 1 })
  expect(initial).toMatchObject({ state: 'failed' })
})

test('what a dead daemon left behind is ended before the session counts as stopped', async () => {
  const session = await runningSession(world, project)
  const { external_id } = await session.row()
  world.provider.crash(external_id ?? '')
  const asked: string[] = []
  const provider = {
    ...world.provider,
    stop: async (id: string) => {
      asked.push(`${id} while ${(await session.row()).status}`)
    },
  }
  await checkSandbox(world.worker({ provider }), session.key)
  expect(asked).toEqual([`${external_id} while running`])
  expect((await session.row()).status).toBe('stopped')

  const other = await runningSession(world, project)
  world.provider.crash((await other.row()).external_id ?? '')
  world.provider.failNext('stop', new SandboxError('internal', 'they do not end'))
  await expect(checkSandbox(world.worker(), other.key)).rejects.toThrow('they do not end')
  expect((await other.row()).status).toBe('running')
  await checkSandbox(world.worker(), other.key)
  expect((await other.row()).status).toBe('stopped')
})

test('a sandbox that is gone is lost with its files, and a start makes a new one', async () => {
  const session = await runningSession(world, project)
  const { external_id } = await session.row()
  await world.provider.destroy(external_id ?? '')
  await checkSandbox(world.worker(), session.key)
  expect(await session.row()).toMatchObject({
    status: 'failed',
    failure: { category: 'gone' },
    runtime_status: 'error',
  })
  world.queue.live = true
  expect(await startSession(ctx, session.key)).toMatchObject({ status: 'running', runtime_status: 'active' })
  expect((await session.row()).external_id).not.toBe(external_id)
})

test('what the provider does not know, and what another provider has, changes nothing', async () => {
  const session = await runningSession(world, project)
  const provider = { ...world.provider, status: async () => 'unknown' as const }
  await checkSandbox(world.worker({ provider }), session.key)
  await checkSandbox(
    world.worker({ provider: { ...world.provider, name: 'other', status: async () => 'removed' as const } }),
    session.key,
  )
  expect((await session.row()).status).toBe('running')
})

test('a stop that the provider refuses is tried again until it is done', async () => {
  const session = await runningSession(world, project)
  const hurried = world.as(project.owner.principal, { signal: AbortSignal.abort() })
  await stopSession(hurried, session.key)
  world.provider.failNext('stop', new SandboxError('network', 'away'))
  await expect(world.queue.drain()).rejects.toThrow('away')
  expect(await session.row()).toMatchObject({ status: 'stopped', runtime_status: 'active' })
  await world.queue.enqueue('session', 'sandbox.stop', { session_id: session.session_id })
  await world.queue.drain()
  expect((await session.row()).runtime_status).toBe('stopped')
})

test('a platform that goes takes every live session along, and one that does not stop holds up none', async () => {
  const running = [await runningSession(world, project), await runningSession(world, project)]
  const waiting = await newSession(world, project)
  world.provider.failNext('stop', new SandboxError('network', 'away'))
  expect(await stopAllSandboxes(world.worker())).toBeGreaterThanOrEqual(3)
  for (const session of [...running, waiting]) {
    expect(await session.row()).toMatchObject({ status: 'stopped', stop_reason: 'platform_shutdown' })
  }
  const states = await Promise.all(running.map(async (session) => (await session.row()).runtime_status))
  expect(states.filter((state) => state === 'stopped').length).toBeGreaterThanOrEqual(1)
})

test('many starts and stops at once end in a state that rows and provider agree on', async () => {
  const session = await runningSession(world, project)
  world.queue.live = true
  const ends = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      endOf(
        index % 3 === 0
          ? stopSession(ctx, session.key)
          : index % 3 === 1
            ? startSession(ctx, session.key)
            : restartSession(ctx, session.key),
      ),
    ),
  )
  expect(new Set(ends)).toEqual(new Set(['done']))
  await world.queue.settled()
  expect(world.queue.failures).toEqual([])
  const row = await session.row()
  expect(['running', 'stopped']).toContain(row.status)
  const record = await sandboxes.find(world.db, session.session_id)
  const known = [...world.provider.sandboxes.values()].filter(
    (each) => each.spec.sandbox_id === session.session_id,
  )
  expect(known.length).toBeLessThanOrEqual(1)
  if (row.status === 'running') {
    expect(record).toMatchObject({ status: 'active', renew: false })
    expect(known[0]?.running).toBe(true)
    const { SVC_CLI_TOKEN = '' } = await session.environment()
    expect(await authenticate(world.base, SVC_CLI_TOKEN)).toMatchObject(session.key)
  } else expect(known.every((each) => !each.running)).toBe(true)
})
