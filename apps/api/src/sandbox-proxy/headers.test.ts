import { expect, test } from 'vitest'
import { prepareRequestHeaders, prepareResponseHeaders } from './headers.ts'

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
    'x-request-id': 'theirs',
    'content-type': 'text/html',
  }
  prepareResponseHeaders(headers, true)
  expect(headers).toEqual({ connection: 'keep-alive', 'content-type': 'text/html' })
})
