import { expect, test } from 'vitest'
import { riskOfAnnotations } from './annotations.ts'
import { frameFromComputer, frameToComputer, keptResult } from './computer-frames.ts'

test.each([
  [undefined, 'destructive'],
  [{}, 'destructive'],
  [{ readOnlyHint: true }, 'read'],
  [{ readOnlyHint: true, destructiveHint: true }, 'read'],
  [{ readOnlyHint: 'true' }, 'destructive'],
  [{ destructiveHint: false }, 'write'],
  [{ readOnlyHint: false, destructiveHint: false }, 'write'],
])('a tool that claims %j is of risk %s', (annotations, risk) => {
  expect(riskOfAnnotations(annotations)).toBe(risk)
})

const hello = { type: 'hello', name: 'laptop', tools: [] }
const call = { type: 'call', call_id: 'c1', action: 'files.read', args: { path: 'a' } }

test.each([
  hello,
  { type: 'result', call_id: 'c1', result: { ok: true, data: { a: 1 }, truncated: false } },
  { type: 'progress', call_id: 'c1', text: 'half' },
  { type: 'pong' },
])('the platform reads %j', (frame) => {
  expect(frameFromComputer(JSON.stringify(frame))).toEqual(frame)
})

test.each([call, { type: 'cancel', call_id: 'c1' }, { type: 'ping' }])('a computer reads %j', (frame) => {
  expect(frameToComputer(JSON.stringify(frame))).toEqual(frame)
})

test('frames of the other side, of another shape and no JSON are none', () => {
  const tool = { action: 'a', title: null, description: '', risk: 'harmless', input_schema: {} }
  const texts = [
    '{',
    '[]',
    JSON.stringify(call),
    JSON.stringify({ ...hello, tools: [tool] }),
    JSON.stringify({ ...hello, tools: Array(5_001).fill({ ...tool, risk: 'read' }) }),
  ]
  expect(texts.map(frameFromComputer)).toEqual([null, null, null, null, null])
  expect(['{', JSON.stringify(hello), JSON.stringify({ ...call, args: [] })].map(frameToComputer)).toEqual([
    null,
    null,
    null,
  ])
  expect(keptResult({ ok: false, reason: 'policy_block', message: '' })).toBeNull()
})
