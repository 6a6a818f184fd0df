import { expect, test } from 'vitest'
import { judgeExpiry, strictest } from './key-rules.ts'

const now = new Date('2026-03-01T10:00:00Z')
const inDays = (days: number, ms = 0) => new Date(now.getTime() + days * 86_400_000 + ms)
const free = { expiry_required: false, max_days: null }
const dated = { expiry_required: true, max_days: null }
const month = { expiry_required: false, max_days: 30 }

test.each([
  ['no rules, no expiry', free, null, 'allowed'],
  ['no rules, far away', free, inDays(9999), 'allowed'],
  ['expiry required, none', dated, null, 'expiry_required'],
  ['expiry required, far away', dated, inDays(9999), 'allowed'],
  ['thirty days, none', month, null, 'expiry_required'],
  ['thirty days, exactly', month, inDays(30), 'allowed'],
  ['thirty days and a millisecond', month, inDays(30, 1), 'expiry_too_far'],
] as const)('%s', (_, rules, expires_at, kind) => {
  expect(judgeExpiry(rules, expires_at, now).kind).toBe(kind)
})

test('a person of several accounts keeps the rules of all', () => {
  expect(strictest([free, dated, month, { expiry_required: false, max_days: 7 }])).toEqual({
    expiry_required: true,
    max_days: 7,
  })
  expect(strictest([])).toEqual(free)
})
