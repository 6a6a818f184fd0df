import type { SessionEvent, SessionEventType } from '@svc/sdk'
import { describe, expect, it } from 'vitest'
import { followTurn } from './turn.ts'

let seq = 0
const event = (type: SessionEventType, fields: object = {}): SessionEvent => ({
  seq: ++seq,
  type,
  at: '',
  ...fields,
})
const begin = event('turn', { prompt_id: 'mine', state: 'begin' })
const end = (fields: object) =>
  event('turn', { prompt_id: 'mine', state: 'end', status: 'completed', ...fields })
const delta = (text: string) => event('message.delta', { message_id: 'm', delta: text })
const message = (text: string, role = 'assistant') => event('message', { message_id: 'm', role, text })

function steps(...events: SessionEvent[]) {
  const read = followTurn('mine')
  return events.flatMap((one) => read(one))
}
const texts = (...events: SessionEvent[]) =>
  steps(begin, ...events).flatMap((step) => (step.kind === 'text' ? step.text : []))

describe('a turn', () => {
  it("is silent about other people's turns", () => {
    const other = { prompt_id: 'theirs' }
    const theirs = [
      event('turn', { ...other, state: 'begin' }),
      delta('x'),
      event('turn', { ...other, state: 'end' }),
    ]
    expect(steps(event('prompt', { prompt_id: 'mine' }), ...theirs)).toEqual([])
  })

  it('that is not named is ours once our prompt was taken up', () => {
    const unnamed = (state: string) => event('turn', { prompt_id: null, state, status: 'completed' })
    const prompt = event('prompt', { prompt_id: 'mine' })
    expect(steps(unnamed('begin'), unnamed('end'))).toEqual([])
    expect(steps(prompt, unnamed('end'), unnamed('begin'), unnamed('end')).map(({ kind }) => kind)).toEqual([
      'end',
    ])
  })

  it.each(['completed', 'aborted', 'interrupted'])('ends %s', (status) => {
    expect(steps(begin, end({ status, error: null }))).toEqual([
      { kind: 'end', end: { status, message: null } },
    ])
  })

  it('ends with an error for any other status', () => {
    expect(steps(end({ status: 'error', error: 'no' }))).toEqual([
      { kind: 'end', end: { status: 'error', message: 'no' } },
    ])
    expect(steps(end({ status: 'new' }))).toMatchObject([{ end: { status: 'error' } }])
  })

  it('tells how the sandbox comes up, and fails with it', () => {
    expect(steps(event('status', { status: 'provisioning' }))).toEqual([
      { kind: 'note', text: 'sandbox: provisioning' },
    ])
    expect(steps(event('status', { status: 'stopped' }))).toMatchObject([{ kind: 'note' }])
    expect(steps(begin, event('status', { status: 'stopped' }))).toMatchObject([
      { end: { status: 'interrupted' } },
    ])
    expect(steps(event('status', { status: 'failed', failure: { message: 'oom' } }))).toMatchObject([
      { end: { status: 'failed', message: 'oom' } },
    ])
  })
})

describe('text', () => {
  it('comes once, as deltas or from the stored message', () => {
    expect(texts(delta('a'), delta('b'), message('ab'))).toEqual(['a', 'b'])
    expect(texts(message('ab'), message('ab'))).toEqual(['ab'])
    expect(texts(message('ab'), message('abc'))).toEqual(['ab', 'c'])
  })

  it('that was cut off is completed by the stored message', () => {
    expect(texts(delta('a'), message('abc'))).toEqual(['a', 'bc'])
    expect(texts(delta('a'), delta('c'), message('abc'))).toEqual(['a', 'c', '\nabc'])
  })

  it('whose parts are joined otherwise is not repeated', () => {
    expect(texts(delta('a'), delta('b'), message('a\n\nb'))).toEqual(['a', 'b'])
  })

  it('of the person is not printed', () => expect(texts(message('hello', 'user'))).toEqual([]))
})

describe('tools', () => {
  const tool = (status: string, title: string | null) =>
    event('tool', { call_id: 'c', tool: 'bash', status, title })
  const lines = (...events: SessionEvent[]) =>
    steps(begin, ...events).flatMap((step) => (step.kind === 'tool' ? step.line : []))

  it('are one line each', () => {
    expect(lines(tool('pending', null), tool('running', 'ls'), tool('completed', 'ls'))).toEqual(['bash: ls'])
    expect(lines(tool('running', null), tool('completed', 'ls'))).toEqual(['bash: ls'])
    expect(lines(tool('completed', null))).toEqual(['bash'])
  })

  it.each([
    [{ command: 'sleep 60\n', description: 'wait' }, ['bash: sleep 60']],
    [{ content: 'x', filePath: '/workspace/notes/a.md' }, ['bash: notes/a.md']],
    [{ questions: [] }, []],
    [null, []],
  ])('%j tells a call that runs before it has a title', (input, told) => {
    const running = event('tool', { call_id: 'c', tool: 'bash', status: 'running', title: null, input })
    expect(lines(running)).toEqual(told)
    expect(lines(running, tool('completed', 'told later'))).toEqual(
      told.length > 0 ? told : ['bash: told later'],
    )
  })

  it('that fail say so', () =>
    expect(lines(tool('running', 'ls'), tool('error', 'ls'))).toEqual(['bash: ls', 'bash failed']))
})

describe('requests', () => {
  it('are asked while they wait', () => {
    const options = [{ option_id: 'proceed_once', name: 'Yes', kind: 'allow_once' }]
    const request = { request_id: 'r', permission: 'bash', patterns: ['ls'], options, state: 'asked' }
    expect(steps(event('permission', request))).toEqual([
      { kind: 'ask', request: { kind: 'permission', id: 'r', permission: 'bash', patterns: ['ls'] } },
    ])
    expect(steps(event('permission', { ...request, state: 'replied' }))).toEqual([])
  })

  it('carry their options', () => {
    const questions = [
      { question: 'Which colour?', header: 'Colour', options: [{ label: 'Red' }, { label: 'Blue' }] },
    ]
    expect(steps(event('question', { request_id: 'q', questions }))).toEqual([
      {
        kind: 'ask',
        request: {
          kind: 'question',
          id: 'q',
          questions: [{ text: 'Which colour?', options: ['Red', 'Blue'] }],
        },
      },
    ])
  })
})
