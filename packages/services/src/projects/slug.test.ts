import { expect, test } from 'vitest'
import { freeSlug, slugOf } from './slug.ts'

test.each([
  ['My Project', 'my-project'],
  ['Ünï çödé', 'uni-code'],
  ['--', 'project'],
  ['日本', 'project'],
  ['a/b.c', 'a-b-c'],
])('%s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('the first free number is taken', () => {
  expect(freeSlug('x', [])).toBe('x')
  expect(freeSlug('x', ['x'])).toBe('x-2')
  expect(freeSlug('x', ['x', 'x-2', 'x-4'])).toBe('x-3')
})
