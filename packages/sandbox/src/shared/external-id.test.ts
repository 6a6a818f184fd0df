import { describe, expect, it } from 'vitest'
import { externalIdOf, isExternalId } from './external-id.ts'

const key = Buffer.alloc(32, 7)

describe('externalIdOf', () => {
  it('is the same for the same sandbox and url-safe', () => {
    const id = externalIdOf(key, 'here', 'a')
    expect(externalIdOf(key, 'here', 'a')).toBe(id)
    expect(isExternalId(id)).toBe(true)
    expect(encodeURIComponent(id)).toBe(id)
  })

  it('differs by key, scope and sandbox', () => {
    const ids = [
      externalIdOf(key, 'here', 'a'),
      externalIdOf(key, 'here', 'b'),
      externalIdOf(key, 'there', 'a'),
      externalIdOf(Buffer.alloc(32, 8), 'here', 'a'),
      externalIdOf(key, 'her', 'ea'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('isExternalId', () => {
  it.each([
    '',
    '..',
    '.tools',
    'sbx_../x',
    'sbx_ABCDEF',
    `sbx_${'a'.repeat(31)}`,
    `sbx_${'a'.repeat(32)}/..`,
  ])('refuses %j', (text) => {
    expect(isExternalId(text)).toBe(false)
  })
})
