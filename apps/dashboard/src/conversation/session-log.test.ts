import type { SessionEvent } from '@svc/sdk'
import { expect, test } from 'vitest'
import { emptyLog, logAfter, logAfterCut } from './session-log.ts'

let seq = 0
const event = (type: string, rest: object, at = '2026-01-01T00:00:00Z') =>
  ({ seq: ++seq, type, at, ...rest }) as SessionEvent
const told = (...events: readonly SessionEvent[]) => events.reduce(logAfter, emptyLog)

test('a prompt waits until its turn begins, and one that was withdrawn never comes', () => {
  const sent = told(
    event('prompt', { prompt_id: 'a', text: 'do it', source: 'user' }),
    event('prompt', { prompt_id: 'b', text: 'never mind', source: 'user' }),
  )
  expect(sent.turns).toEqual([])
  expect(sent.unbegun.map(({ id }) => id)).toEqual(['a', 'b'])
  const begun = [
    event('turn', { prompt_id: 'a', state: 'begin' }, '2026-01-01T00:00:05Z'),
    event('prompt', { prompt_id: 'b', state: 'cancelled' }),
  ].reduce(logAfter, sent)
  expect(begun.turns.map(({ text }) => text)).toEqual(['do it'])
  expect(begun.unbegun).toEqual([])
  expect(begun.busy_since).toBe('2026-01-01T00:00:05Z')
})

test('words grow by deltas, which are not counted, and the stored message takes their place', () => {
  const first = told(event('message.delta', { message_id: 'm', delta: 'Hel' }))
  expect(first.last_seq).toBe(0)
  const more = logAfter(first, event('message.delta', { message_id: 'm', delta: 'lo' }))
  expect(more.turns[0]).toMatchObject({ text: 'Hello', streaming: true })
  const stored = logAfter(more, event('message', { message_id: 'm', role: 'assistant', text: 'Hello.' }))
  expect(stored.turns).toHaveLength(1)
  expect(stored.turns[0]).toMatchObject({ text: 'Hello.', streaming: false })
  expect(stored.last_seq).toBe(seq)
})

test('words of a message that was never stored go with the end of their turn, as a new page has none of them', () => {
  const cut = logAfterCut(told(event('message.delta', { message_id: 'lost', delta: 'Hel' })))
  const more = logAfter(cut, event('message.delta', { message_id: 'lost', delta: 'ere' }))
  expect(more.turns.map(({ text }) => text)).toEqual(['Hel … ere'])
  const ended = [
    event('message', { message_id: 'again', role: 'assistant', text: 'Hello there' }),
    event('turn', { prompt_id: 'a', state: 'end', status: 'completed' }),
  ].reduce(logAfter, more)
  expect(ended.turns.map(({ text }) => text)).toEqual(['Hello there'])
})

test('a tool has its command from the beginning, its tail while it runs, and how it ended', () => {
  const input = { command: 'npm test' }
  const running = told(
    event('tool', { message_id: 'm', call_id: 'c', tool: 'bash', status: 'running', input }),
    event('tool.delta', { message_id: 'm', call_id: 'c', output: '1 passed' }),
  )
  expect(running.turns[0]?.tools[0]).toMatchObject({ input, output: '1 passed', duration_ms: null })
  const end = event(
    'tool',
    { message_id: 'm', call_id: 'c', tool: 'bash', status: 'completed', output: 'all', exit_code: 1 },
    '2026-01-01T00:00:04Z',
  )
  expect(logAfter(running, end).turns[0]?.tools).toMatchObject([
    { input, output: 'all', exit_code: 1, duration_ms: 4_000 },
  ])
})

test('usage is added up, and a turn that failed says so', () => {
  const log = told(
    event('usage', { input_tokens: 10, output_tokens: 5, cost_usd: 0.5 }),
    event('usage', { input_tokens: 1, cost_usd: null }),
    event('turn', { prompt_id: 'x', state: 'end', status: 'failed', error: 'the model was away' }),
  )
  expect(log).toMatchObject({ tokens: 16, cost_usd: 0.5 })
  expect(log.turns.at(-1)?.error).toBe('the model was away')
})

test('the context is as the agent gave it last, each number by itself', () => {
  const cost = event('usage', { input_tokens: 1, output_tokens: 1 })
  expect(told(cost, event('usage', { context_used: 10 })).context).toBeNull()
  const log = told(event('usage', { context_used: 10, context_size: 200 }), cost)
  expect(log.context).toEqual({ used: 10, size: 200 })
  expect(logAfter(log, event('usage', { context_used: 50 })).context).toEqual({ used: 50, size: 200 })
})

test.each([
  ['max_tokens', 'max_tokens'],
  ['max_turn_requests', 'max_turn_requests'],
  ['end_turn', null],
  [undefined, null],
])('a turn that ended with %s is cut at %s until the next one begins', (stop_reason, cut_at) => {
  const log = told(event('turn', { prompt_id: 'x', state: 'end', status: 'completed', stop_reason }))
  expect(log.cut_at).toBe(cut_at)
  expect(logAfter(log, event('turn', { prompt_id: 'y', state: 'begin' })).cut_at).toBeNull()
})

test('the changes of a call stay when a later word of it leaves them out', () => {
  const of = { message_id: 'm', call_id: 'c', tool: 'edit', kind: 'edit' }
  const diffs = [{ path: 'a', patch: '@@ -0,0 +1 @@\n+x\n', truncated: false }]
  const log = told(
    event('tool', { ...of, status: 'running', diffs }),
    event('tool', { ...of, status: 'completed' }),
  )
  expect(log.turns[0]?.tools[0]).toMatchObject({ kind: 'edit', diffs: [{ path: 'a', additions: 1 }] })
})

test('the calls of a sub-agent are within the call that began it, with their output, and add no turn', () => {
  const task = { message_id: 'm', tool: 'task', status: 'running' }
  const inner = { message_id: 'child', tool: 'bash', subagent: 'one' }
  const log = told(
    event('tool', { ...task, call_id: 't1' }),
    event('tool', { ...task, call_id: 't2' }),
    event('tool', { ...inner, call_id: 'a', status: 'running' }),
    event('tool', { ...inner, call_id: 'b', status: 'running', subagent: 'two' }),
    event('tool.delta', { message_id: 'child', call_id: 'a', output: 'half' }),
  )
  expect(log.turns).toHaveLength(1)
  expect(log.turns[0]?.tools).toMatchObject([
    { call_id: 't1', subagent: 'one', inner: [{ call_id: 'a', output: 'half' }] },
    { call_id: 't2', subagent: 'two', inner: [{ call_id: 'b' }] },
  ])
  const ended = [
    event('tool', { ...inner, call_id: 'a', status: 'completed', output: 'whole' }),
    event('tool', { ...task, call_id: 't1', status: 'completed', output: 'done' }),
  ].reduce(logAfter, log)
  expect(ended.turns[0]?.tools[0]).toMatchObject({
    output: 'done',
    inner: [{ call_id: 'a', status: 'completed', output: 'whole' }],
  })
  // One whose call is not known stands by itself, as before.
  const alone = told(event('tool', { ...inner, call_id: 'a', status: 'running' }))
  expect(alone.turns[0]?.tools).toMatchObject([{ call_id: 'a', inner: [] }])
})
