import { expect, test } from 'vitest'
import { requireStrong } from './require-strong.ts'

test.each([
  ['short', 'at least 10 characters'],
  ['aaaaaaaaaaaa', 'repeat'],
  ['abababababab', 'repeat'],
  ['ada.lovelace@example.com', 'your address'],
  ['Ada.Lovelace', 'your address'],
])('%s is weak', (password, words) => {
  expect(() => requireStrong(password, 'ada.lovelace@example.com')).toThrow(words)
})

test.each(['correct horse battery', 'äöü1234567', '🐎🔋 correct'])('%s is strong enough', (password) => {
  expect(() => requireStrong(password, 'ada@example.com')).not.toThrow()
})
