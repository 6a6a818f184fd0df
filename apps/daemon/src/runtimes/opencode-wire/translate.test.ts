import { beforeEach, expect, test } from 'vitest'
import type { RuntimeEvent, RuntimeSignal } from '../runtime.ts'
import { RawEvent, StoredMessages } from './schemas.ts'
import { createTranslator, type Translator } from './translate.ts'

const root = 'ses_root'
let translator: Translator

beforeEach(() => {
  translator = createTranslator({ root: () => root, workspace: '/workspace', now: () => 1_795_194_782_708 })
})

function signals(...raws: unknown[]): RuntimeSignal[] {
  return raws.flatMap((raw) => {
    const parsed = RawEvent.safeParse(raw)
    return parsed.success ? translator.translate(parsed.data) : []
  })
}
const eventsOf = (...raws: unknown[]): RuntimeEvent[] =>
  signals(...raws).flatMap((signal) => (signal.kind === 'event' ? [signal.event] : []))

const info = (role: string, more: object = {}) => ({
  type: 'message.updated',
  properties: { info: { id: `msg_${role}`, sessionID: root, role, time: { created: 1_000 }, ...more } },
})
const part = (more: object, sessionID = root) => ({
  type: 'message.part.updated',
  properties: { sessionID, part: { id: 'prt_1', sessionID, messageID: 'msg_assistant', ...more }, time: 1 },
})
const delta = (more: object = {}) => ({
  type: 'message.part.delta',
  properties: {
    sessionID: root,
    messageID: 'msg_assistant',
    partID: 'prt_1',
    field: 'text',
    delta: 'Wrote ',
    ...more,
  },
})

test('noise of the stream is no event', () => {
  for (const type of ['plugin.added', 'catalog.updated', 'server.heartbeat', 'session.diff']) {
    expect(signals({ id: 'evt_1', type, properties: {} })).toEqual([])
  }
})

test('status and idle say whether a session works', () => {
  const status = (type: string) => ({
    type: 'session.status',
    properties: { sessionID: root, status: { type } },
  })
  const retry = {
    type: 'session.status',
    properties: { sessionID: root, status: { type: 'retry', attempt: 1, message: 'rate limited', next: 1 } },
  }
  expect(signals(status('busy'), retry, { type: 'session.idle', properties: { sessionID: root } })).toEqual([
    { kind: 'session', session_id: root, state: 'busy' },
    { kind: 'session', session_id: root, state: 'retrying' },
    { kind: 'session', session_id: root, state: 'idle' },
  ])
})

test('a message is told once it is whole, and not again', () => {
  const text = part({ type: 'text', text: 'Wrote it.' })
  const done = info('assistant', { time: { created: 1_000, completed: 2_000 } })
  expect(eventsOf(info('assistant'), text)).toEqual([])
  expect(eventsOf(done)).toMatchObject([
    {
      type: 'message',
      at: '1970-01-01T00:00:02.000Z',
      payload: { message_id: 'msg_assistant', role: 'assistant', text: 'Wrote it.', error: null },
    },
  ])
  expect(eventsOf(done, done)).toEqual([])
})

test('a person’s words come with their first part; what the runtime slips in is left out', () => {
  const user = { ...part({ type: 'text', text: 'do it', messageID: 'msg_user' }) }
  const slipped = part({
    id: 'prt_2',
    type: 'text',
    text: 'system note',
    synthetic: true,
    messageID: 'msg_user',
  })
  expect(eventsOf(info('user'), user, slipped)).toMatchObject([{ payload: { role: 'user', text: 'do it' } }])
})

test('deltas are those of the root’s spoken text', () => {
  expect(signals(info('assistant'), delta())).toEqual([
    { kind: 'delta', message_id: 'msg_assistant', delta: 'Wrote ' },
  ])
  expect(signals(delta({ sessionID: 'ses_child' }))).toEqual([])
  expect(signals(delta({ field: 'input' }))).toEqual([])
  signals(part({ id: 'prt_r', type: 'reasoning', text: '' }))
  expect(signals(delta({ partID: 'prt_r' }))).toEqual([])
})

test('a tool is told once for each state', () => {
  const state = {
    status: 'completed',
    input: { filePath: 'a' },
    output: 'Wrote file\0.',
    metadata: {},
    title: 'a',
    time: { start: 1, end: 2 },
  }
  const running = part({
    type: 'tool',
    tool: 'write',
    callID: 'call_1',
    state: { status: 'running', input: {}, time: { start: 1 } },
  })
  const events = eventsOf(running, running, part({ type: 'tool', tool: 'write', callID: 'call_1', state }))
  expect(events.map(({ payload }) => payload['status'])).toEqual(['running', 'completed'])
  expect(events[1]).toEqual({
    event_id: 'tool:prt_1:completed',
    type: 'tool',
    at: '1970-01-01T00:00:00.002Z',
    payload: {
      message_id: 'msg_assistant',
      call_id: 'call_1',
      tool: 'write',
      status: 'completed',
      title: 'a',
      input: { filePath: 'a' },
      output: 'Wrote file\ufffd.',
      duration_ms: 1,
    },
  })
})

test('what a running command prints is told as it comes, and is no event', () => {
  const running = (output: string) =>
    part({
      type: 'tool',
      tool: 'bash',
      callID: 'c',
      state: { status: 'running', input: {}, metadata: { output }, time: { start: 1 } },
    })
  const seen = signals(running('one'), running('one\ntwo'))
  expect(seen.filter(({ kind }) => kind === 'event')).toHaveLength(1)
  expect(seen.filter(({ kind }) => kind === 'output')).toEqual([
    { kind: 'output', message_id: 'msg_assistant', call_id: 'c', output: 'one' },
    { kind: 'output', message_id: 'msg_assistant', call_id: 'c', output: 'one\ntwo' },
  ])
})

test('a command says its exit code, whatever else the runtime says of it', () => {
  const state = {
    status: 'completed',
    input: {},
    output: '',
    metadata: { exit: 2 },
    time: { start: 5, end: 9 },
  }
  const [tool] = eventsOf(part({ type: 'tool', tool: 'bash', callID: 'c', state }))
  expect(tool?.payload).toMatchObject({ status: 'completed', exit_code: 2, duration_ms: 4 })
})

test('a subagent’s tools name it, its words are not told', () => {
  const state = { status: 'error', input: {}, error: 'no', time: { start: 1, end: 2 } }
  const [tool] = eventsOf(part({ type: 'tool', tool: 'bash', callID: 'c', state }, 'ses_child'))
  expect(tool?.payload).toMatchObject({ subagent: 'ses_child', output: 'no' })
  const child = info('assistant', { sessionID: 'ses_child', time: { created: 1, completed: 2 } })
  expect(eventsOf(child)).toEqual([])
})

test('usage counts cached input and reasoning', () => {
  const tokens = { total: 133, input: 100, output: 22, reasoning: 3, cache: { read: 11, write: 0 } }
  const step = part({ type: 'step-finish', reason: 'stop', tokens, cost: 0.000144 })
  expect(eventsOf(step)[0]?.payload).toEqual({ input_tokens: 111, output_tokens: 25, cost_usd: 0.000144 })
})

test('files are told from the root of the workspace', () => {
  const edited = (id: string, file: string) => ({ id, type: 'file.edited', properties: { file } })
  const told = eventsOf(edited('evt_1', '/workspace/src/a.ts'), edited('evt_2', '/tmp/b'))
  expect(told.map(({ payload }) => payload['path'])).toEqual(['src/a.ts', '/tmp/b'])
})

test('an ask is told, reported and answered', () => {
  const asked = {
    type: 'permission.asked',
    properties: {
      id: 'per_1',
      sessionID: root,
      permission: 'bash',
      patterns: ['ls'],
      metadata: {},
      always: [],
    },
  }
  expect(signals(asked)).toMatchObject([
    {
      kind: 'event',
      event: {
        event_id: 'permission:per_1',
        payload: { request_id: 'per_1', permission: 'bash', patterns: ['ls'], state: 'asked' },
      },
    },
    { kind: 'asked', ask: { kind: 'permission', request_id: 'per_1' } },
  ])
  const replied = {
    type: 'permission.replied',
    properties: { sessionID: root, requestID: 'per_1', reply: 'once' },
  }
  expect(signals(replied)).toMatchObject([
    { kind: 'answered', request_id: 'per_1' },
    { kind: 'event', event: { payload: { state: 'replied', reply: 'once' } } },
  ])
  expect(signals(replied)).toEqual([])
})

test('an abort is no error event; an API error is, with its words', () => {
  const failed = (error: object) => ({
    id: 'evt_9',
    type: 'session.error',
    properties: { sessionID: root, error },
  })
  expect(signals(failed({ name: 'MessageAbortedError', data: { message: 'Aborted' } }))).toEqual([
    { kind: 'session_error', session_id: root, message: null },
  ])
  const api = failed({ name: 'APIError', data: { message: 'bad key', statusCode: 401, isRetryable: false } })
  expect(eventsOf(api)).toMatchObject([{ type: 'error', payload: { message: 'bad key' } }])
})

test('a replay tells only what was missed', () => {
  const stored = StoredMessages.parse([
    {
      info: {
        id: 'msg_assistant',
        sessionID: root,
        role: 'assistant',
        time: { created: 1_000, completed: 2_000 },
      },
      parts: [{ id: 'prt_1', sessionID: root, messageID: 'msg_assistant', type: 'text', text: 'Wrote it.' }],
    },
  ])
  expect(translator.replay(stored)).toHaveLength(1)
  expect(translator.replay(stored)).toEqual([])
  expect(eventsOf(info('assistant', { time: { created: 1_000, completed: 2_000 } }))).toEqual([])
})
