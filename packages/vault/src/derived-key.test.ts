import { expect, test } from 'vitest'
import { derivedKey } from './derived-key.ts'

const master = '11'.repeat(32)

test('follows from the master key and the purpose, and from nothing else', () => {
  const key = derivedKey(master, 'executor')
  expect(key).toHaveLength(32)
  expect(derivedKey(Buffer.from(master, 'hex'), 'executor')).toEqual(key)
  expect(derivedKey(master, 'other')).not.toEqual(key)
  expect(derivedKey('12'.repeat(32), 'executor')).not.toEqual(key)
  expect(key.toString('hex')).not.toBe(master)
})
