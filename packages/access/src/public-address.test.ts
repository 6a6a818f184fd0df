import { describe, expect, test } from 'vitest'
import { isAllowedAddress, isPublicAddress } from './public-address.ts'

describe('public', () => {
  test.each(['1.1.1.1', '8.8.8.8', '140.82.121.4', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
})

describe('not public', () => {
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.17.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    'localhost',
    '0x7f.1',
    '',
  ])('%j', (address) => expect(isPublicAddress(address)).toBe(false))
})

test('the operator allows all private addresses or some ranges', () => {
  expect(isAllowedAddress('127.0.0.1', false)).toBe(false)
  expect(isAllowedAddress('127.0.0.1', true)).toBe(true)
  expect(isAllowedAddress('10.1.2.3', ['10.0.0.0/8'])).toBe(true)
  expect(isAllowedAddress('10.1.2.3', ['10.2.0.0/16', 'fd00::/8'])).toBe(false)
  expect(isAllowedAddress('fd00::5', ['fd00::/8'])).toBe(true)
  expect(isAllowedAddress('8.8.8.8', [])).toBe(true)
})
