import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { confineResponseHeaders, prepareRequestHeaders, prepareUpgradeHeaders } from './headers.ts'

const identity = { request_id: 'r1', user_context: 'signed' }

test('the caller’s token and a forged context never reach the sandbox', () => {
  const headers = {
    authorization: 'Bearer svc_pat_x',
    'x-svc-user-context': 'forged',
    'x-forwarded-for': '1.1.1.1',
    cookie: 'a=b',
    host: 'api.example',
  }
  prepareRequestHeaders(headers, identity)
  expect(headers).toEqual({
    'x-svc-user-context': 'signed',
    'x-request-id': 'r1',
    cookie: 'a=b',
    host: 'api.example',
  })
})

test('headers of the connection end here, also those that it names', () => {
  const headers = {
    connection: 'keep-alive, X-Mine',
    'x-mine': '1',
    'keep-alive': 'timeout=5',
    te: 'trailers',
    'transfer-encoding': 'chunked',
  }
  prepareRequestHeaders(headers, identity)
  expect(headers).toEqual({
    'transfer-encoding': 'chunked',
    'x-svc-user-context': 'signed',
    'x-request-id': 'r1',
  })
})

test('an upgrade keeps what makes it one', () => {
  const headers = { connection: 'keep-alive, Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'k' }
  prepareRequestHeaders(headers, { ...identity, upgrade: true })
  expect(headers).toMatchObject({ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'k' })
})

test('a response cannot widen its reach on the origin, nor speak for the platform', () => {
  const headers = {
    connection: 'close',
    'service-worker-allowed': '/',
    'alt-svc': 'h2="evil.example:443"',
    nel: '{"report_to":"theirs"}',
    'report-to': '{"group":"theirs"}',
    'x-request-id': 'theirs',
    'content-type': 'text/html',
  }
  confineResponseHeaders(headers, true)
  expect(headers).toEqual({
    connection: 'keep-alive',
    'content-type': 'text/html',
    'content-security-policy': expect.stringMatching(/^sandbox (?!.*allow-same-origin)/),
  })
})

test('a document on the platform’s own origin is one of an origin of its own, beside what its program asks for', () => {
  const headers: IncomingHttpHeaders = { 'content-security-policy': "default-src 'self'" }
  confineResponseHeaders(headers, true)
  expect(headers['content-security-policy']).toMatch(/^default-src 'self', sandbox /)
})

test.each([
  ['an answer', (headers: IncomingHttpHeaders) => confineResponseHeaders(headers, true)],
  ['the answer to an upgrade', prepareUpgradeHeaders],
] as const)('the platform’s cookies are not taken from %s', (_, prepare) => {
  const headers: IncomingHttpHeaders = { 'set-cookie': ['svc_oauth=TOSSED; Path=/v1/oauth', 'theirs=1'] }
  prepare(headers)
  expect(headers['set-cookie']).toEqual(['theirs=1'])
})

test.each([false, true])('the platform’s cookies are not sent to the sandbox (upgrade: %s)', (upgrade) => {
  const headers: IncomingHttpHeaders = { cookie: 'svc_oauth=a; theirs=1; __Host-svc_oauth.sig=b' }
  prepareRequestHeaders(headers, { ...identity, upgrade })
  expect(headers.cookie).toBe('theirs=1')
})

test('the answer to an upgrade keeps what makes it one', () => {
  const headers: IncomingHttpHeaders = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'x-request-id': 'theirs',
  }
  prepareUpgradeHeaders(headers)
  expect(headers).toEqual({ connection: 'Upgrade', upgrade: 'websocket' })
})
