import { expect, test } from 'vitest'
import { logTail } from './log-tail.ts'

test('is the whole of a short log', () => {
  expect(logTail(Buffer.from('short: ä'))).toBe('short: ä')
})

test.each(['', 'x', 'xy', 'xyz'])('is the last 8 KiB after %j, from a whole character on', (before) => {
  const tail = logTail(Buffer.from(before + '漢😀'.repeat(5_000)))
  expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(8_192)
  expect(Buffer.byteLength(tail)).toBeGreaterThan(8_188)
  expect(tail).toMatch(/^[漢😀]+$/u)
})
