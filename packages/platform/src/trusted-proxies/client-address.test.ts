import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { clientAddress, trustedProxies } from './client-address.ts'

const isProxy = trustedProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])

function from(peer: string, forwarded?: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const req = new IncomingMessage(socket)
  if (forwarded !== undefined) req.headers['x-forwarded-for'] = forwarded
  return req
}

test.each([
  ['203.0.113.5', undefined, '203.0.113.5'],
  ['::ffff:203.0.113.5', undefined, '203.0.113.5'],
  ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
  ['10.1.2.3', undefined, '10.1.2.3'],
  ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', '6.6.6.6, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
  ['10.1.2.3', '6.6.6.6, nonsense, 192.0.2.7', '192.0.2.7'],
  ['fd00::1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
  ['10.1.2.3', '10.9.9.9', '10.9.9.9'],
  ['', undefined, null],
])('from %j with X-Forwarded-For %j it is %j', (peer, forwarded, expected) => {
  expect(clientAddress(from(peer, forwarded), isProxy)).toBe(expected)
})

test.each(['10.0.0.0/33x', 'example.com', '', '10.0.0.0/8/8'])('%j is no proxy', (entry) => {
  expect(() => trustedProxies([entry])).toThrow(TypeError)
})
