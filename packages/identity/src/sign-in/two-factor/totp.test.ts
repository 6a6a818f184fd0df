import { expect, test } from 'vitest'
import { newTotp, totpStep } from './totp.ts'

/** The secret and the times of RFC 6238, appendix B; its eight digits end in the six of an app. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at %i seconds the code of RFC 6238 fits its step', (seconds, code) => {
  const step = Math.floor(seconds / 30)
  const at = (moved: number) => totpStep(secret, code, new Date((seconds + moved) * 1000), null)
  expect(at(0)).toBe(step)
  // A clock may be half a minute off, and no more.
  expect(at(30)).toBe(step)
  expect(at(-30)).toBe(step)
  expect(at(90)).toBe(null)
  expect(at(-90)).toBe(null)
})

test('a step that was taken is not taken again, nor one before it', () => {
  const now = new Date(59_000)
  expect(totpStep(secret, '287082', now, 0)).toBe(1)
  expect(totpStep(secret, '287082', now, 1)).toBe(null)
  expect(totpStep(secret, '287082', now, 2)).toBe(null)
})

test.each(['', '28708', '2870823', '28708a', ' 287082'])('%o is no code', (code) => {
  expect(totpStep(secret, code, new Date(59_000), null)).toBe(null)
})

test('a new secret has 160 bits and says whose it is', () => {
  const { secret: base32, uri } = newTotp(new Uint8Array(20).fill(7), 'ada@example.com')
  expect(base32).toMatch(/^[A-Z2-7]{32}$/)
  expect(uri).toContain('otpauth://totp/svc:ada%40example.com?')
  expect(uri).toContain(`secret=${base32}`)
  expect(() => newTotp(new Uint8Array(10), 'ada@example.com')).toThrow(RangeError)
})
