import type { SessionEvent } from '@svc/sdk'
import { expect, test } from 'vitest'
import { settledHere, type AskEnds, boardAfter, endsAfter, endWords, pendingAfter } from './ask-board.ts'

const ask = (request_id: string) => ({ kind: 'question', request_id, questions: [] }) as const
const event = (type: SessionEvent['type'], rest: object): SessionEvent => ({ seq: 1, at: '', type, ...rest })

test('what ended stays behind, what is new comes last, and what was never open never appears', () => {
  const first = boardAfter([], [ask('a'), ask('b')])
  expect(first.map(({ open }) => open)).toEqual([true, true])
  const second = boardAfter(first, [ask('b'), ask('c')])
  expect(second.map(({ ask: { request_id }, open }) => [request_id, open])).toEqual([
    ['a', false],
    ['b', true],
    ['c', true],
  ])
  expect(boardAfter([], [])).toEqual([])
})

test('what was answered here goes when the agent has it', () => {
  const board = settledHere(boardAfter([], [ask('a'), ask('b')]), 'a')
  expect(board.map(({ settled }) => settled)).toEqual([true, false])
  expect(boardAfter(board, [ask('a')])).toMatchObject([{ open: true, settled: true }, { open: false }])
  expect(boardAfter(board, [ask('b')])).toMatchObject([{ ask: { request_id: 'b' }, open: true }])
  // One that ended elsewhere goes when it is dismissed.
  expect(settledHere(boardAfter(boardAfter([], [ask('a')]), []), 'a')).toEqual([])
})

test('an ask waits from its event until it ends, whatever else happens', () => {
  const asked = event('permission', {
    request_id: 'a',
    state: 'asked',
    permission: 'bash',
    patterns: ['ls *'],
  })
  const pending = pendingAfter(new Map(), asked)
  expect([...pending.values()]).toEqual([
    { kind: 'permission', request_id: 'a', permission: 'bash', patterns: ['ls *'] },
  ])
  expect(pendingAfter(pending, event('turn', { state: 'end' }))).toBe(pending)
  expect(pendingAfter(pending, event('permission', { request_id: 'b', state: 'replied' }))).toBe(pending)
  expect(pendingAfter(pending, event('permission', { request_id: 'a', state: 'replied' })).size).toBe(0)
  const odd = pendingAfter(new Map(), event('question', { request_id: 'q', state: 'asked' }))
  expect([...odd.values()]).toEqual([{ kind: 'question', request_id: 'q', questions: [] }])
})

test('what timed out stays so when the agent is refused it after that', () => {
  const states = ['timed_out', 'rejected']
  const ends = states.reduce<AskEnds>(
    (told, state) => endsAfter(told, event('permission', { request_id: 'a', state })),
    new Map(),
  )
  expect(ends.get('a')).toBe('timed_out')
})

test.each([
  ['replied', 'answered elsewhere'],
  ['rejected', 'refused elsewhere'],
  ['timed_out', 'in time'],
  ['expired', 'turn ended'],
  ['a state of a newer platform', 'does not wait'],
])('one that is %s says so', (state, text) => {
  const asked = endsAfter(new Map(), event('question', { request_id: 'a', state: 'asked' }))
  expect(asked.size).toBe(0)
  const ends: AskEnds = endsAfter(asked, event('question', { request_id: 'a', state }))
  expect(endWords(ends.get('a'))).toContain(text)
  expect(endWords(ends.get('b'))).toContain('does not wait')
  expect(endsAfter(ends, event('turn', { request_id: 'b', state: 'end' }))).toBe(ends)
})
