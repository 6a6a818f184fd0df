import { randomUUID } from 'node:crypto'
import { SandboxError } from '@svc/sandbox'
import { beforeEach, expect, test } from 'vitest'
import {
  answerAsk,
  cancelPrompt,
  getSessionHistory,
  getSessionTranscript,
  getSessionTranscriptText,
  listPrompts,
  promptSession,
  provisionSandbox,
  reportTurnQuestion,
  reportTurnStream,
  stopSession,
} from '../../src/index.ts'
import { addMember } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 100 })
const project = await makeProject(world)
const { ctx } = project
const hurried = world.as(project.owner.principal, { signal: AbortSignal.abort() })
beforeEach(() => {
  world.queue.drop()
  world.daemon.prompts.splice(0)
  world.daemon.asked.splice(0)
  world.daemon.withdraw_status = 200
  world.daemon.act_status = 200
})

test('the inbox is listed in its order, page by page', async () => {
  const session = await newSession(world, project, { initial_prompt: 'zero' })
  for (const text of ['one', 'two', 'three']) await promptSession(ctx, { ...session.key, text })
  const first = await listPrompts(ctx, { ...session.key, limit: 3 })
  expect(first.prompts).toMatchObject([
    { text: 'zero', source: 'initial', state: 'pending' },
    { text: 'one', source: 'user' },
    { text: 'two' },
  ])
  const rest = await listPrompts(ctx, { ...session.key, limit: 3, cursor: first.next_cursor ?? '' })
  expect(rest).toMatchObject({ prompts: [{ text: 'three' }], next_cursor: null })
  expect((await listPrompts(ctx, { ...session.key, limit: 3, state: 'done' })).prompts).toEqual([])
})

test('a prompt that waits is withdrawn: it is never delivered, and the transcript does not tell it', async () => {
  const session = await newSession(world, project)
  const { prompt_id } = await promptSession(ctx, { ...session.key, text: 'never mind' })
  await promptSession(ctx, { ...session.key, text: 'do this' })
  expect(await cancelPrompt(ctx, { ...session.key, prompt_id })).toMatchObject({
    prompt_id,
    state: 'cancelled',
  })
  expect(await cancelPrompt(ctx, { ...session.key, prompt_id })).toMatchObject({ state: 'cancelled' })
  await world.queue.enqueue('session', 'sandbox.provision', { session_id: session.session_id })
  await world.queue.drain()
  expect(world.daemon.prompts.map(({ text }) => text)).toEqual(['do this'])
  const { messages } = await getSessionTranscript(ctx, session.key)
  expect(messages.map(({ text }) => text)).toEqual(['do this'])
})

test('one that the sandbox has taken is withdrawn there, unless its turn began or nobody can be asked', async () => {
  const session = await runningSession(world, project)
  const send = async (text: string) => {
    const { prompt_id } = await promptSession(ctx, { ...session.key, text })
    await world.queue.drain()
    return prompt_id
  }
  const waiting = await send('waits there')
  expect(await cancelPrompt(ctx, { ...session.key, prompt_id: waiting })).toMatchObject({
    state: 'cancelled',
  })
  expect(world.daemon.asked).toEqual([{ path: '/svc/withdraw', body: { prompt_id: waiting } }])
  const began = await send('began')
  world.daemon.withdraw_status = 409
  const refused = { code: 'PROMPT_NOT_CANCELLABLE' }
  await expect(cancelPrompt(ctx, { ...session.key, prompt_id: began })).rejects.toMatchObject(refused)
  await reportTurnStream(await session.daemon(), { ...session.key, kind: 'turn_begin', prompt_id: began })
  world.daemon.asked.splice(0)
  await expect(cancelPrompt(ctx, { ...session.key, prompt_id: began })).rejects.toMatchObject({
    ...refused,
    details: { state: 'running' },
  })
  expect(world.daemon.asked).toEqual([])
  const asleep = await send('asleep')
  await stopSession(hurried, session.key)
  await expect(cancelPrompt(ctx, { ...session.key, prompt_id: asleep })).rejects.toMatchObject(refused)
  await expect(cancelPrompt(ctx, { ...session.key, prompt_id: randomUUID() })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a first prompt is withdrawn before its sandbox is made with it, or given back by the sandbox', async () => {
  const first = async () => {
    const session = await newSession(world, project, { initial_prompt: 'zero' })
    const [prompt] = (await listPrompts(ctx, { ...session.key, limit: 1 })).prompts
    return { session, key: { ...session.key, prompt_id: prompt?.prompt_id ?? '' } }
  }
  const early = await first()
  await cancelPrompt(ctx, early.key)
  await provisionSandbox(world.worker(), early.session.key)
  expect(await early.session.environment()).not.toHaveProperty('SVC_INITIAL_PROMPT')

  const late = await first()
  const { provider } = world
  const create = async (...asked: Parameters<typeof provider.create>) => {
    await expect(cancelPrompt(ctx, late.key)).rejects.toMatchObject({ code: 'PROMPT_NOT_CANCELLABLE' })
    return provider.create(...asked)
  }
  world.provider.failNext('create', new SandboxError('network', 'away', { retryable: true }))
  const worker = world.worker({ provider: { ...provider, create } })
  await expect(provisionSandbox(worker, late.session.key)).rejects.toThrow('away')
  await provisionSandbox(worker, late.session.key)
  expect(await late.session.environment()).toMatchObject({ SVC_INITIAL_PROMPT: 'zero' })
  await world.queue.drain()
  expect(world.daemon.prompts).toEqual([])
  expect(await cancelPrompt(ctx, late.key)).toMatchObject({ state: 'cancelled' })
  expect(world.daemon.asked).toMatchObject([{ path: '/svc/withdraw' }])
})

test('only the owner and managers speak to the agent', async () => {
  const owner = await addMember(world, project, 'member')
  const session = await runningSession(world, project)
  const own = await newSession(world, project, {}, world.as(owner.principal))
  const { prompt_id } = await promptSession(world.as(owner.principal), { ...own.key, text: 'mine' })
  const other = world.as((await addMember(world, project, 'member')).principal)
  const manager = world.as((await addMember(world, project, 'manager')).principal)
  const forbidden = { code: 'forbidden' }
  await expect(promptSession(other, { ...own.key, text: 'x' })).rejects.toMatchObject(forbidden)
  await expect(promptSession(other, { ...session.key, text: 'x' })).rejects.toMatchObject(forbidden)
  await expect(cancelPrompt(other, { ...own.key, prompt_id })).rejects.toMatchObject(forbidden)
  await expect(
    answerAsk(other, { ...own.key, request_id: 'q', answer: { reject: true } }),
  ).rejects.toMatchObject(forbidden)
  expect((await listPrompts(other, { ...own.key, limit: 5 })).prompts).toHaveLength(1)
  expect(await promptSession(manager, { ...own.key, text: 'x' })).toMatchObject({ state: 'pending' })
})

test('an ask is answered through the session, once and in its own form', async () => {
  const session = await runningSession(world, project)
  const ask = { ...session.key, request_id: 'que_1' }
  await reportTurnQuestion(await session.daemon(), { ...ask, questions: [{ question: 'Which?' }] })
  expect(await answerAsk(ctx, { ...ask, answer: { answers: [['Blue']] } })).toEqual({ ok: true })
  expect(world.daemon.asked).toEqual([
    { path: '/svc/runtime/act', body: { kind: 'question', id: 'que_1', answers: [['Blue']] } },
  ])
  const misfits = [{ reply: 'once' as const }, { answers: [] }, { answers: [['Blue'], ['Red']] }]
  for (const answer of misfits)
    await expect(answerAsk(ctx, { ...ask, answer })).rejects.toMatchObject({ code: 'invalid_request' })
  world.daemon.act_status = 404
  await expect(answerAsk(ctx, { ...ask, answer: { reject: true } })).rejects.toMatchObject({
    code: 'ASK_NOT_PENDING',
  })
  await expect(
    answerAsk(ctx, { ...ask, request_id: 'unheard', answer: { reject: true } }),
  ).rejects.toMatchObject({ code: 'not_found' })
  // Written before the agent is told; what it did not take is said once more.
  const logged = await world.db
    .selectFrom('audit_events')
    .select('outcome')
    .where('session_id', '=', session.key.session_id)
    .where('action', '=', 'answerAsk')
    .orderBy('seq')
    .execute()
  expect(logged.map(({ outcome }) => outcome)).toEqual(['success', 'success', 'failed'])
})

test('a sandbox that continues is told what was said, and not what still waits', async () => {
  const session = await runningSession(world, project, { initial_prompt: 'first' })
  const prompt_id = (await session.environment()).SVC_INITIAL_PROMPT_ID ?? ''
  const daemon = await session.daemon()
  expect((await getSessionHistory(daemon, session.key)).messages).toEqual([])
  await reportTurnStream(daemon, { ...session.key, kind: 'turn_begin', prompt_id })
  const at = world.clock.now().toISOString()
  const said = { message_id: 'm', role: 'assistant', text: 'Done | **so**' }
  await reportTurnStream(daemon, {
    ...session.key,
    kind: 'events',
    events: [{ event_id: 'e', type: 'message', at, payload: said }],
  })
  await reportTurnStream(daemon, { ...session.key, kind: 'turn_end', prompt_id, status: 'completed' })
  await promptSession(ctx, { ...session.key, text: 'waits' })
  const { messages } = await getSessionHistory(daemon, session.key)
  expect(messages.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'first'],
    ['assistant', 'Done | **so**'],
  ])
  await expect(getSessionHistory(ctx, session.key)).rejects.toMatchObject({ code: 'forbidden' })
  const text = await getSessionTranscriptText(ctx, session.key)
  expect(text).toContain('# Session ')
  expect(text).toContain('first')
  expect(text).toContain('Done | **so**')
})
