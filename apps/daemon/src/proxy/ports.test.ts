import { expect, test } from 'vitest'
import { parsePortPath } from './ports.ts'

test.each([
  ['/proxy/3000/a/b?c=d', { port: 3000, path: '/a/b?c=d' }],
  ['/proxy/3000', { port: 3000, path: '/' }],
  ['/proxy/3000?x=1', { port: 3000, path: '/?x=1' }],
  ['/proxy/3000//x', { port: 3000, path: '//x' }],
  ['/proxy/03000/', { port: 3000, path: '/' }],
  ['/proxy/0/', 'invalid'],
  ['/proxy/65536/', 'invalid'],
  ['/proxy/22x/', 'invalid'],
  ['/proxy/', 'invalid'],
  ['/proxy', 'invalid'],
  ['/proxyport', null],
  ['/session', null],
])('%s', (url, expected) => {
  expect(parsePortPath(url)).toEqual(expected)
})
