import { randomUUID } from 'node:crypto'
import { sessionEvents, sessionPrompts } from '@svc/db'
import { beforeEach, expect, test } from 'vitest'
import {
  createSession,
  deliverPrompts,
  getSessionTranscript,
  promptSession,
  reportTurnPermission,
  reportTurnQuestion,
  reportTurnStream,
  stopSession,
} from '../../src/index.ts'
import { endInside } from '../../src/sessions/end-session.ts'
import { addOwner } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { someoneWaits } from '../support/replica.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { ctx } = project
beforeEach(() => {
  world.queue.drop()
  world.daemon.prompts.splice(0)
  world.daemon.prompt_status = 202
})
const stateOf = async (prompt_id: string) =>
  world.db
    .selectFrom('session_prompts')
    .select(['state', 'error'])
    .where('prompt_id', '=', prompt_id)
    .executeTakeFirst()
const eventsOf = async (session_id: string) => {
  const rows = await sessionEvents.listAfter(world.db, session_id, 0, 200)
  return rows.map(({ type, payload }) => ({ type, ...payload }))
}

test('prompts reach the daemon in order, with the key of its sandbox', async () => {
  const session = await runningSession(world, project, { initial_prompt: 'zero' })
  const prompts = []
  for (const text of ['one', 'two', 'three']) prompts.push(await promptSession(ctx, { ...session.key, text }))
  expect(prompts[0]?.state).toBe('pending')
  await world.queue.drain()
  // It was born with the first.
  expect(world.daemon.prompts.map((prompt) => prompt.text)).toEqual(['one', 'two', 'three'])
  const { SVC_SANDBOX_TOKEN } = await session.environment()
  expect(world.daemon.prompts[0]).toEqual({
    prompt_id: prompts[0]?.prompt_id,
    text: 'one',
    authorization: `Bearer ${SVC_SANDBOX_TOKEN}`,
  })
  expect(await stateOf(prompts[2]?.prompt_id ?? '')).toEqual({ state: 'delivered', error: null })
})

test('with a key a repeat is the same prompt, and sends nothing', async () => {
  const session = await runningSession(world, project)
  const keyed = { ...session.key, text: 'once', idempotency_key: 'a-key' }
  const sent = await Promise.all([1, 2, 3].map(() => promptSession(ctx, keyed)))
  expect(new Set(sent.map(({ prompt_id }) => prompt_id)).size).toBe(1)
  await world.queue.drain()
  expect(world.daemon.prompts.map((prompt) => prompt.text)).toEqual(['once'])
  expect(await promptSession(ctx, keyed)).toEqual({ prompt_id: sent[0]?.prompt_id, state: 'delivered' })
  const logged = await eventsOf(session.session_id)
  expect(logged.filter(({ type }) => type === 'prompt')).toHaveLength(1)
  for (const other of [{ text: 'twice' }, { model: 'another' }])
    await expect(promptSession(ctx, { ...keyed, ...other })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
    })
  await expect(promptSession(ctx, { ...keyed, idempotency_key: 'a key' })).rejects.toMatchObject({
    code: 'INVALID_IDEMPOTENCY_KEY',
  })
  // A key is no obstacle in another session.
  const other = await runningSession(world, project)
  expect(await promptSession(ctx, { ...keyed, ...other.key })).toMatchObject({ state: 'pending' })
})

test('a daemon that does not take one gets it again, and only what it did not take', async () => {
  const session = await runningSession(world, project)
  const first = await promptSession(ctx, { ...session.key, text: 'one' })
  world.daemon.prompt_status = 503
  await expect(deliverPrompts(world.worker(), session.key)).rejects.toThrow('503')
  expect((await stateOf(first.prompt_id))?.state).toBe('pending')
  world.daemon.prompt_status = 202
  await promptSession(ctx, { ...session.key, text: 'two' })
  await Promise.all([1, 2, 3].map(() => deliverPrompts(world.worker(), session.key)))
  expect(world.daemon.prompts.map((prompt) => prompt.text)).toEqual(['one', 'two'])
})

test('what the daemon refuses for good fails with its words, and keeps nothing back', async () => {
  const session = await runningSession(world, project)
  world.daemon.refused.set('too much', 'text: is too long')
  const refused = await promptSession(ctx, { ...session.key, text: 'too much' })
  await promptSession(ctx, { ...session.key, text: 'after it' })
  await world.queue.drain()
  expect(world.daemon.prompts.map((prompt) => prompt.text)).toEqual(['after it'])
  const error = 'The sandbox refused this prompt: text: is too long'
  expect(await stateOf(refused.prompt_id)).toEqual({ state: 'failed', error })
  expect((await eventsOf(session.session_id)).filter((event) => event.type === 'turn')).toEqual([
    { type: 'turn', prompt_id: refused.prompt_id, state: 'end', status: 'error', error },
  ])
  expect((await session.sandbox()).unreachable_since).toBeNull()
})

test('a first prompt that no environment holds comes once the sandbox runs', async () => {
  const initial_prompt = '€'.repeat(80_000)
  const session = await runningSession(world, project, { initial_prompt })
  expect(await session.environment()).not.toHaveProperty('SVC_INITIAL_PROMPT')
  expect(await session.environment()).not.toHaveProperty('SVC_INITIAL_PROMPT_ID')
  expect(world.daemon.prompts.map((prompt) => prompt.text)).toEqual([initial_prompt])
})

test('a prompt wakes a sleeping session, and is delivered once it runs', async () => {
  const session = await runningSession(world, project)
  world.queue.live = true
  await stopSession(ctx, session.key)
  await world.queue.settled()
  world.queue.live = false
  world.clock.advance(1000)
  const { prompt_id } = await promptSession(ctx, { ...session.key, text: 'wake up' })
  expect((await session.row()).status).toBe('provisioning')
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
  expect(world.daemon.prompts).toMatchObject([{ prompt_id, text: 'wake up' }])
})

test('a prompt that comes in the moment in which its session falls asleep wakes it', async () => {
  const session = await runningSession(world, project)
  const { prompting } = await world.db.transaction().execute(async (tx) => {
    await endInside(ctx, tx, session.session_id, 'idle')
    const prompting = promptSession(ctx, { ...session.key, text: 'wait' })
    await someoneWaits(world)
    return { prompting }
  })
  const { prompt_id } = await prompting
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
  expect(world.daemon.prompts).toMatchObject([{ prompt_id, text: 'wait' }])
})

test('a prompt that there is no room to wake a session for is not kept', async () => {
  const owner = await addOwner(world, 'free')
  const own = await makeProject(world, owner)
  const asleep = await runningSession(world, own)
  world.queue.live = true
  await stopSession(own.ctx, asleep.key)
  await world.queue.settled()
  world.queue.live = false
  for (let index = 0; index < 3; index += 1) await newSession(world, own)
  await expect(promptSession(own.ctx, { ...asleep.key, text: 'x' })).rejects.toMatchObject({
    code: 'session_limit_reached',
  })
  expect(await sessionPrompts.listPending(world.db, asleep.session_id)).toEqual([])
  expect((await asleep.row()).status).toBe('stopped')
})

test('a turn is told once, however often it is reported', async () => {
  const session = await runningSession(world, project)
  const { prompt_id } = await promptSession(ctx, { ...session.key, text: 'go' })
  await world.queue.drain()
  const daemon = await session.daemon()
  const begin = { ...session.key, kind: 'turn_begin' as const, prompt_id }
  const end = {
    ...session.key,
    kind: 'turn_end' as const,
    prompt_id,
    status: 'error' as const,
    error: 'no\0 model',
  }
  world.clock.advance(7000)
  for (const report of [begin, begin, end, end, begin])
    expect(await reportTurnStream(daemon, report)).toEqual({ ok: true })
  expect((await stateOf(prompt_id))?.state).toBe('failed')
  expect((await eventsOf(session.session_id)).filter((event) => event.type === 'turn')).toMatchObject([
    { prompt_id, state: 'begin' },
    { prompt_id, state: 'end', status: 'error' },
  ])
  expect((await session.sandbox()).last_active_at).toEqual(world.clock.now())
  // A turn that no prompt began, such as one of the runtime itself, is told too.
  await reportTurnStream(daemon, { ...session.key, kind: 'turn_begin' })
  expect((await eventsOf(session.session_id)).at(-1)).toMatchObject({
    type: 'turn',
    prompt_id: null,
    state: 'begin',
  })
})

test('events count once by their id, and the conversation is read from them', async () => {
  const session = await runningSession(world, project)
  await promptSession(ctx, { ...session.key, text: 'Question' })
  const at = '2026-03-01T10:00:00Z'
  const event = (
    event_id: string,
    type: 'message' | 'tool' | 'message.delta' | 'status',
    payload: object,
  ) => ({
    event_id,
    type,
    at,
    payload: { ...payload },
  })
  const report = {
    ...session.key,
    kind: 'events' as const,
    events: [
      event('m1:1', 'message', { message_id: 'm1', role: 'assistant', text: 'half \ud83d' }),
      event('t1', 'tool', {
        message_id: 'm1',
        call_id: 'c1',
        tool: 'bash',
        status: 'running',
        input: { nul: '\0' },
      }),
      event('t2', 'tool', { message_id: 'm1', call_id: 'c1', tool: 'bash', status: 'done', output: 'ok' }),
      event('m1:2', 'message', { message_id: 'm1', role: 'assistant', text: 'Answer' }),
      event('m1:2', 'message', { message_id: 'm1', role: 'assistant', text: 'A double' }),
      event('d1', 'message.delta', { text: 'An' }),
      event('s1', 'status', { status: 'running' }),
    ],
  }
  const daemon = await session.daemon()
  await Promise.all([1, 2, 3].map(() => reportTurnStream(daemon, report)))
  const types = (await eventsOf(session.session_id)).map((each) => each.type)
  expect(types).toEqual(['status', 'status', 'prompt', 'message', 'tool', 'tool', 'message'])
  const { messages } = await getSessionTranscript(ctx, session.key)
  expect(messages).toMatchObject([
    { role: 'user', text: 'Question' },
    { role: 'assistant', text: 'Answer', tools: [{ tool: 'bash', status: 'done', output: 'ok' }] },
  ])
})

test('questions and permissions are asked once each', async () => {
  const session = await runningSession(world, project)
  const daemon = await session.daemon()
  const question = { ...session.key, request_id: 'q1', questions: [{ question: 'Which?' }] }
  const permission = { ...session.key, request_id: 'p1', permission: 'bash', patterns: ['rm *'] }
  for (let round = 0; round < 2; round += 1) {
    await reportTurnQuestion(daemon, question)
    await reportTurnPermission(daemon, permission)
  }
  const { ask_timeout_seconds } = world.base.settings
  const expires_at = new Date(world.clock.now().getTime() + ask_timeout_seconds * 1_000).toISOString()
  expect((await eventsOf(session.session_id)).slice(2)).toEqual([
    { type: 'question', request_id: 'q1', questions: [{ question: 'Which?' }], state: 'asked', expires_at },
    {
      type: 'permission',
      request_id: 'p1',
      permission: 'bash',
      patterns: ['rm *'],
      state: 'asked',
      expires_at,
    },
  ])
})

test('leases are set, seen and released', async () => {
  const session = await runningSession(world, project)
  const daemon = await session.daemon()
  const until = new Date(world.clock.now().getTime() + 120_000).toISOString()
  const heartbeat = { ...session.key, kind: 'execution_heartbeat' as const, lease_ttl_seconds: 120 }
  expect(await reportTurnStream(daemon, heartbeat)).toEqual({ ok: true, lease_expires_at: until })
  const discover = { ...session.key, kind: 'execution_lease_discover' as const }
  expect(await reportTurnStream(daemon, discover)).toEqual({ ok: true, lease_expires_at: until })
  await reportTurnStream(daemon, { ...session.key, kind: 'execution_lease_release' })
  expect(await reportTurnStream(daemon, discover)).toEqual({ ok: true, lease_expires_at: null })
  await reportTurnStream(daemon, { ...session.key, kind: 'runtime_session', runtime_session_id: 'ses_1' })
  expect((await session.row()).runtime_session_id).toBe('ses_1')
})

test('a sandbox speaks for its own session alone, and nobody else speaks for it', async () => {
  const session = await runningSession(world, project)
  const other = await newSession(world, project)
  const release = { kind: 'execution_lease_release' as const }
  await expect(reportTurnStream(await session.daemon(), { ...other.key, ...release })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(
    reportTurnStream(await session.daemon(), { ...session.key, project_id: randomUUID(), ...release }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await expect(reportTurnStream(ctx, { ...session.key, ...release })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(
    createSession(await session.daemon(), {
      project_id: session.key.project_id,
      respond_async: false,
      body: {},
    }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})
