import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeySealer } from './key-sealer.ts'

const sealer = createKeySealer(randomBytes(32))

test('a value comes back at its own place alone, and does not stand in its sealed text', () => {
  const sealed = sealer.seal(['provider', 'key'], 'sk-1234567890')
  expect(sealer.open(['provider', 'key'], sealed)).toBe('sk-1234567890')
  expect(sealed).toMatch(new RegExp(`^g1\\.${sealer.key_id}\\.`))
  expect(sealed).not.toContain('sk-1234')
  for (const place of [['provider', 'other'], ['providerkey'], ['key', 'provider']])
    expect(() => sealer.open(place, sealed)).toThrow('cannot be opened')
})

test('another key opens it not, and says which one sealed it', () => {
  const other = createKeySealer(randomBytes(32))
  expect(() => other.open(['a'], sealer.seal(['a'], 'x'))).toThrow(sealer.key_id)
  expect(() => sealer.open(['a'], 'v1.x')).toThrow('unknown format')
})
