import { expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

const none = new Set<string>()

it.each(['1.1.1.1', '140.82.121.4', '2606:4700:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address, none)).toBe(true)
})

it.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.17.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  'fe80::1',
  'fd00:ec2::254',
  '64:ff9b::7f00:1',
  'localhost',
  '',
  '0x7f.1',
])('%s is not', (address) => {
  expect(isPublicAddress(address, none)).toBe(false)
})

it('the machine’s own address is not', () => {
  expect(isPublicAddress('1.1.1.1', new Set(['1.1.1.1']))).toBe(false)
})
