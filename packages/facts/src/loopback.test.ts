import { expect, test } from 'vitest'
import { isLocalName, isLoopback, isLoopbackAddress } from './loopback.ts'

test.each(['127.0.0.1', '127.255.0.9', '::1', '[::1]'])('%s is an address of this machine', (host) => {
  expect(isLoopbackAddress(host)).toBe(true)
  expect(isLoopback(host)).toBe(true)
  expect(isLocalName(host)).toBe(false)
})

test.each(
  [
    ['', 'preview.localhost', 'localhost.example', 'notlocalhost', '127.0.0.1.example', '127.evil.example'],
    ['127.0.0.256', '127.0.0', '127.0.0.01', '1127.0.0.1', '128.0.0.1', '0.0.0.0', '::', '::11', '[::2]'],
  ].flat(),
)('%j is not this machine', (host) => {
  expect(isLoopback(host)).toBe(false)
})

test('a name below localhost is local by name, and no loopback for a rule of trust', () => {
  expect([isLoopback('localhost'), isLocalName('localhost'), isLocalName('a.localhost')]).toEqual([
    true,
    true,
    true,
  ])
  expect(isLocalName('localhost.example')).toBe(false)
  expect(isLoopbackAddress('localhost')).toBe(false)
})
