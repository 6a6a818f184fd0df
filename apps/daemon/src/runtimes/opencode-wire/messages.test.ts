import { expect, test } from 'vitest'
import { runtimeMessage, turnRecordOf } from './messages.ts'
import { StoredMessages } from './schemas.ts'

const message = (id: string, role: string, more: object = {}, parts: object[] = []) => ({
  info: { id, sessionID: 's', role, time: { created: 1_000 }, ...more },
  parts,
})
const done = { time: { created: 1_000, completed: 2_000 } }
const record = (...stored: object[]) => turnRecordOf(StoredMessages.parse(stored), 'msg_2')

test('what came before the marker says nothing of the turn', () => {
  expect(record(message('msg_1', 'user'), message('msg_2', 'assistant', done))).toEqual({
    answered: false,
    aborted: false,
    error: null,
  })
  expect(record(message('msg_3', 'user'))).toMatchObject({ answered: false })
})

test('the last answer decides', () => {
  expect(record(message('msg_4', 'assistant', done), message('msg_5', 'assistant'))).toMatchObject({
    answered: false,
  })
  expect(record(message('msg_4', 'assistant'), message('msg_5', 'assistant', done))).toMatchObject({
    answered: true,
  })
})

test('an aborted answer is aborted, another error is its words', () => {
  const aborted = { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } }
  expect(record(message('msg_4', 'assistant', aborted))).toEqual({
    answered: true,
    aborted: true,
    error: null,
  })
  const failed = { error: { name: 'APIError', data: { message: 'bad key' } } }
  expect(record(message('msg_4', 'assistant', failed))).toEqual({
    answered: true,
    aborted: false,
    error: 'bad key',
  })
})

test('where in the runtime it went wrong is not for people', () => {
  const failure = (text: string) => ({ error: { name: 'UnknownError', data: { message: text } } })
  const stack =
    '\n    at <anonymous> (/$bunfs/root/chunk.js:439:94416)\n    at run (/$bunfs/root/chunk.js:1:2)'
  const words = (text: string) => record(message('msg_4', 'assistant', failure(text))).error
  expect(words(`ModelNotFound: no/such.${stack}`)).toBe('ModelNotFound: no/such.')
  expect(words('look\n  at this\nthen go on')).toBe('look\n  at this\nthen go on')
})

test('a stored message becomes one of the transcript', () => {
  const ids = { sessionID: 's', messageID: 'msg_4' }
  const state = {
    status: 'completed',
    input: { command: 'ls' },
    output: 'a',
    title: 'Lists',
    metadata: {},
    time: { start: 1, end: 2 },
  }
  const [stored] = StoredMessages.parse([
    message('msg_4', 'assistant', done, [
      { id: 'p1', ...ids, type: 'step-start' },
      { id: 'p2', ...ids, type: 'tool', tool: 'bash', callID: 'c', state },
      { id: 'p3', ...ids, type: 'text', text: 'There.' },
    ]),
  ])
  expect(stored && runtimeMessage(stored)).toEqual({
    message_id: 'msg_4',
    role: 'assistant',
    at: '1970-01-01T00:00:01.000Z',
    text: 'There.',
    tools: [{ tool: 'bash', status: 'completed', title: 'Lists', input: { command: 'ls' }, output: 'a' }],
    error: null,
  })
})
