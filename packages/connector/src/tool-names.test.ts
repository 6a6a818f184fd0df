import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toolNames } from './tool-names.ts'

const one = (slug: string, action: string) => toolNames([{ slug, action }])[0] ?? ''

test('a name is its slug and its action', () => {
  expect(one('docs', 'search')).toBe('docs__search')
  expect(one('docs', 'pages.list/all')).toBe('docs__pages_list_all')
  expect(one('docs', 'größe😀')).toBe('docs__gr__e_')
})

test('48 characters stay, a longer one is cut and ends in 6 of its hash', () => {
  expect(one('docs', 'a'.repeat(42))).toBe(`docs__${'a'.repeat(42)}`)
  const cut = one('docs', 'a'.repeat(43))
  expect(cut).toMatch(/^docs__a{35}_[A-Za-z0-9_-]{6}$/)
  expect(one('docs', 'a'.repeat(43))).toBe(cut)
})

test('names that would be alike are told apart, in whichever order they come', () => {
  const alike = [
    { slug: 'a', action: 'b.c' },
    { slug: 'a', action: 'b/c' },
    { slug: 'a__b', action: 'c' },
    { slug: 'a', action: 'b__c' },
  ]
  const names = toolNames(alike)
  expect(new Set(names).size).toBe(4)
  expect(toolNames(alike.toReversed()).toReversed()).toEqual(names)
})

test('every name is usable, and none is there twice', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '_', 'ü'), minLength: 1, maxLength: 60 })
  const actions = fc.uniqueArray(fc.record({ slug: fc.constantFrom('a', 'a__b'), action: text }), {
    selector: ({ slug, action }) => `${slug} ${action}`,
    maxLength: 60,
  })
  fc.assert(
    fc.property(actions, (given) => {
      const names = toolNames(given)
      expect(new Set(names).size).toBe(given.length)
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,48}$/)
    }),
  )
})
