import { expect, test } from 'vitest'
import { newDataKey } from './data-key.ts'
import { tokenOf } from './token-of.ts'

test('a token is the same for one place of one key, and another for any other', () => {
  const [one, other] = [newDataKey(), newDataKey()]
  expect(tokenOf(one, ['app', 'a'])).toBe(tokenOf(one, ['app', 'a']))
  expect(tokenOf(one, ['app', 'a'])).toHaveLength(43)
  const others = [tokenOf(one, ['app', 'b']), tokenOf(one, ['appa']), tokenOf(other, ['app', 'a'])]
  expect(new Set([...others, tokenOf(one, ['app', 'a'])]).size).toBe(4)
})
