import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createVault } from './vault.ts'

const old_key = randomBytes(32)
const new_key = randomBytes(32).toString('hex')
const vault = createVault(old_key, { key_id: 'k-2026' })
const place = ['project-1', 'API_KEY']

describe('a value', () => {
  const { data_key } = vault.createDataKey(['project-1'])

  test.each(['', 'hunter2', 'ünï ✓ \0 \n', 'x'.repeat(64 * 1024)])('comes back as it was', (value) => {
    expect(vault.open(data_key, place, vault.seal(data_key, place, value))).toBe(value)
  })

  test('is sealed anew each time, in a versioned text that does not hold it', () => {
    const [one, other] = [vault.seal(data_key, place, 'hunter2'), vault.seal(data_key, place, 'hunter2')]
    expect(one).toMatch(/^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/)
    expect(one).not.toBe(other)
    expect(one).not.toContain(Buffer.from('hunter2').toString('base64url'))
  })

  test('opens at its own place only', () => {
    const sealed = vault.seal(data_key, place, 'hunter2')
    for (const other of [
      ['project-2', 'API_KEY'],
      ['project-1', 'API_KEY2'],
      ['project-1API_KEY', ''],
      ['project-1'],
      ['API_KEY', 'project-1'],
    ])
      expect(() => vault.open(data_key, other, sealed)).toThrow('cannot be opened')
  })

  test('opens with its own key only', () => {
    const { data_key: foreign } = vault.createDataKey(['project-2'])
    expect(() => vault.open(foreign, place, vault.seal(data_key, place, 'hunter2'))).toThrow(
      'cannot be opened',
    )
  })

  test('is refused when any bit of it changed', () => {
    const sealed = vault.seal(data_key, place, 'hunter2')
    for (let at = 3; at < sealed.length; at++) {
      if (sealed[at] === '.') continue
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      expect(() => vault.open(data_key, place, changed)).toThrow(/cannot be opened|malformed/)
    }
  })

  test.each(['', 'v1', 'v1.', 'v2.a.b.c', 'v1.AAAA.AAAA.AAAA', 'v1.a.b', 'v1.a.b.c.d'])(
    '%j is no sealed value',
    (text) => {
      expect(() => vault.open(data_key, place, text)).toThrow(/malformed|unknown format/)
    },
  )

  test('a shortened tag is refused', () => {
    const [version, nonce, tag = '', text] = vault.seal(data_key, place, 'hunter2').split('.')
    const short = Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url')
    expect(() => vault.open(data_key, place, [version, nonce, short, text].join('.'))).toThrow('malformed')
  })
})

describe('a data key', () => {
  test('is tied to its project and carries the id of the master key', () => {
    const { data_key, sealed } = vault.createDataKey(['project-1'])
    expect(sealed).toMatch(/^k1\.k-2026\./)
    const value = vault.seal(data_key, place, 'hunter2')
    expect(vault.open(vault.openDataKey(sealed, ['project-1']), place, value)).toBe('hunter2')
    expect(() => vault.openDataKey(sealed, ['project-2'])).toThrow('cannot be opened')
  })

  test('does not show itself', () => {
    const { data_key } = vault.createDataKey(['project-1'])
    expect([JSON.stringify({ data_key }), inspect(data_key), String(Object.keys(data_key))]).toEqual([
      '{"data_key":"[data key]"}',
      '[data key]',
      '',
    ])
  })

  test('a value cannot pass for a data key, nor the other way round', () => {
    const { data_key, sealed } = vault.createDataKey(['p'])
    const value = vault.seal(data_key, ['p'], 'x')
    expect(() => vault.openDataKey(value.replace('v1.', 'k1.k-2026.'), ['p'])).toThrow('cannot be opened')
    expect(() => vault.open(data_key, ['p'], sealed.replace('k1.k-2026.', 'v1.'))).toThrow('cannot be opened')
  })
})

describe('rotation', () => {
  const rotated = createVault(new_key, { key_id: 'k-2027', others: { 'k-2026': old_key } })

  test('an earlier key still opens, and what it sealed is known to be due', () => {
    const { data_key, sealed } = vault.createDataKey(['project-1'])
    const value = vault.seal(data_key, place, 'hunter2')
    expect(rotated.needsRotation(sealed)).toBe(true)
    const opened = rotated.openDataKey(sealed, ['project-1'])
    expect(rotated.open(opened, place, value)).toBe('hunter2')
    const again = rotated.rewrap(sealed, ['project-1'])
    expect(rotated.needsRotation(again)).toBe(false)
    const only_new = createVault(new_key, { key_id: 'k-2027' })
    expect(only_new.open(only_new.openDataKey(again, ['project-1']), place, value)).toBe('hunter2')
    expect(() => only_new.openDataKey(sealed, ['project-1'])).toThrow('"k-2026"')
  })

  test('the id in the text is part of what is sealed', () => {
    const { sealed } = vault.createDataKey(['project-1'])
    const two_names = createVault(old_key, { key_id: 'other', others: { 'k-2026': old_key } })
    expect(() => two_names.openDataKey(sealed.replace('k-2026', 'other'), ['project-1'])).toThrow(
      'cannot be opened',
    )
  })

  test('one id is never two keys', () => {
    expect(() => createVault(new_key, { key_id: 'k', others: { k: old_key } })).toThrow('given to two')
  })

  test('ids are simple names', () => {
    expect(() => createVault(old_key, { key_id: 'a.b' })).toThrow('simple name')
  })
})
