import { expect, test } from 'vitest'
import { proxyRoute } from './route.ts'

test('takes an address apart', () => {
  expect(proxyRoute('/v1/p/box-1/3000/a/b?x&y=%20')).toEqual({
    external_id: 'box-1',
    port: 3000,
    path: '/a/b',
    query: '?x&y=%20',
  })
  expect(proxyRoute('/v1/p/box%3A1/8000')).toEqual({ external_id: 'box:1', port: 8000, path: '/', query: '' })
})

test.each([
  '/v1/p/',
  '/v1/p/box',
  '/v1/p/box/',
  '/v1/p/box/x/',
  '/v1/p/box/999999/',
  '/v1/p//80/',
  '/v1/p/%E0/80/',
  '/v1/p/b/80/%00',
])('%s is no address of a sandbox', (url) => expect(proxyRoute(url)).toBeNull())

test.each([
  ['?__svc_user_context=forged', ''],
  ['?a=1&__svc_user_context=forged&b', '?a=1&b'],
  ['?__svc%5Fuser_context=forged&a', '?a'],
  ['?%5f_svc_user_context', ''],
  ['?a=__svc_user_context', '?a=__svc_user_context'],
  ['?%E0=1', '?%E0=1'],
])('query %s becomes "%s"', (query, kept) => {
  expect(proxyRoute(`/v1/p/box/80/${query}`)?.query).toBe(kept)
})
