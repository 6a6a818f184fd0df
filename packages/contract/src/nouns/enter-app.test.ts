import { expect, test } from 'vitest'
import { enterApp } from './apps.ts'

const { schema } = enterApp.request.body.content['application/json']
const parse = (return_path: string) => schema.safeParse({ host: 'site--shop.apps.test', return_path }).success

test.each(['/', '/a', '/a/b?c=//d#e', '/%2f%2fevil.test'])('%j is a path to come back to', (path) => {
  expect(parse(path)).toBe(true)
})

test.each([
  '',
  'a',
  '//evil.test',
  '/\\evil.test',
  '\\evil.test',
  'https://evil.test',
  '/a b',
  '/a\nb',
  '/a\\b',
])('%j is none', (path) => {
  expect(parse(path)).toBe(false)
})
