import { expect, test } from 'vitest'
import { executorKey, isSigned, signRequest } from './signature.ts'

const key = executorKey('11'.repeat(32))
const other = executorKey('22'.repeat(32))
const now = new Date('2026-11-25T12:00:00Z')
const request = { method: 'POST', path: '/run', body: '{"a":1}', time: now.getTime() / 1000 }
const signature = signRequest(key, request)
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test('a request that the key signed is accepted, also where another key is the first', () => {
  expect(isSigned([key], request, signature, now)).toBe(true)
  expect(isSigned([other, key], request, signature, now)).toBe(true)
})

test.each([
  ['another method', { method: 'GET' }],
  ['another path', { path: '/sync' }],
  ['another body', { body: '{"a":2}' }],
  ['another time', { time: request.time + 1 }],
  ['no time', { time: Number.NaN }],
])('%s is not what was signed', (_, changed) =>
  expect(isSigned([key], { ...request, ...changed }, signature, now)).toBe(false),
)

test.each([
  ['another key', signRequest(other, request)],
  ['none', ''],
  ['one that is cut off', signature.slice(0, -2)],
  ['a longer one', `${signature}00`],
])('%s is refused', (_, given) => expect(isSigned([key], request, given, now)).toBe(false))

test('it holds for a minute, to both sides', () => {
  expect([60, -60, 61, -61].map((age) => isSigned([key], request, signature, after(age)))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
