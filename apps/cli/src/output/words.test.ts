import { expect, it } from 'vitest'
import { ago } from './ago.ts'
import { oneLine, plain } from './plain.ts'

const now = Date.parse('2026-01-02T00:00:00Z')

it.each([
  ['2026-01-02T00:00:00Z', '0 s ago'],
  ['2026-01-01T23:59:01Z', '59 s ago'],
  ['2026-01-01T23:56:00Z', '4 min ago'],
  ['2026-01-01T12:00:00Z', '12 h ago'],
  ['2025-12-30T00:00:00Z', '3 d ago'],
  ['2023-01-02T00:00:00Z', '3 y ago'],
  ['2026-01-03T00:00:00Z', '0 s ago'],
  ['not a date', 'not a date'],
])('%s is %s', (instant, words) => expect(ago(instant, now)).toBe(words))

it('plain keeps lines and tabs, and nothing that a terminal obeys', () => {
  expect(plain('a\tb\r\nc\u001b[2Jd\u0007\u009b1m\u202ee\rf')).toBe(
    'a\tb\nc\ufffd[2Jd\ufffd\ufffd1m\ufffde\ufffdf',
  )
})

it('oneLine is one line', () => expect(oneLine(' a\n\tb  c ')).toBe('a b c'))
