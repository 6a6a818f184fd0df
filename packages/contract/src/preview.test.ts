import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import {
  confineDocument,
  dropPlatformCookies,
  freeDocument,
  isPlatformCookie,
  platformCookie,
} from './preview.ts'

test.each([
  [false, '/v1/oauth', 'svc_oauth'],
  [false, '/', 'svc_oauth'],
  [true, '/', '__Host-svc_oauth'],
  [true, '/v1/oauth', '__Secure-svc_oauth'],
])('a cookie (secure: %s, path %s) is called %s', (secure, path, name) => {
  expect(platformCookie('oauth', { secure, path })).toBe(name)
  expect(isPlatformCookie(`${name}=x`)).toBe(true)
})

test.each([
  ['svc_oauth.sig=x', true],
  [' svc_anything=x', true],
  ['SVC_oauth=x', true],
  ['=svc_oauth=x', true],
  ['\t = __host-svc_oauth=x', true],
  ['svc_oauth', true],
  ['svc=x', false],
  ['my_svc_oauth=x', false],
  ['theirs=svc_oauth=x', false],
  ['', false],
])('%j is or would be read as a cookie of the platform: %s', (pair, ours) => {
  expect(isPlatformCookie(pair)).toBe(ours)
})

test('of several cookies the platform’s go, and the rest stays as it is', () => {
  const headers: IncomingHttpHeaders = {
    cookie: 'a=1; svc_oauth=secret; b="2; svc_oauth.sig=secret',
    'set-cookie': ['a=1; Path=/', 'svc_sso=x; Path=/', '=svc_oauth=x'],
  }
  dropPlatformCookies(headers)
  expect(headers).toEqual({ cookie: 'a=1; b="2', 'set-cookie': ['a=1; Path=/'] })
  dropPlatformCookies(headers)
  expect(headers).toEqual({ cookie: 'a=1; b="2', 'set-cookie': ['a=1; Path=/'] })
})

test('headers without any other cookie have none', () => {
  const headers: IncomingHttpHeaders = { cookie: 'svc_oauth=secret', 'set-cookie': ['svc_oauth=x'] }
  dropPlatformCookies(headers)
  expect(headers).toEqual({})
})

test.each([undefined, "default-src 'self'", 'sandbox allow-scripts'])(
  'a document with the policy %j is confined on the platform’s origin, and as it was behind a door',
  (policy) => {
    const before: IncomingHttpHeaders = policy === undefined ? {} : { 'content-security-policy': policy }
    const headers = { ...before }
    confineDocument(headers)
    expect(headers['content-security-policy']).toMatch(/(^|, )sandbox (?!.*allow-same-origin).*$/)
    freeDocument(headers)
    expect(headers).toEqual(before)
    freeDocument(headers)
    expect(headers).toEqual(before)
  },
)
