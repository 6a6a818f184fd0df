import { crc32 } from 'node:zlib'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { formatToken, tokenPrefix, tokenPrefixes } from './tokens.ts'

test.each(tokenPrefixes)('a %s token is prefix, 43 digits of 256 bits, and a checksum', (prefix) => {
  const token = formatToken(prefix, randomBytes(32))
  expect(token).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`))
  expect(tokenPrefix(token)).toBe(prefix)
})

test('one changed character is no token', () => {
  const token = formatToken('svc_pat_', randomBytes(32))
  for (let at = 8; at < token.length; at++) {
    const other = token[at] === 'a' ? 'b' : 'a'
    expect(tokenPrefix(token.slice(0, at) + other + token.slice(at + 1))).toBe(null)
  }
})

test.each(['', 'svc_pat_', 'Bearer x', 'svc_pat_' + 'a'.repeat(49)])('%j is no token', (text) => {
  expect(tokenPrefix(text)).toBe(null)
})

test('the checksum is CRC-32', () => {
  const token = formatToken('svc_pat_', new Uint8Array(32))
  const body = token.slice(0, -6)
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  expect(token.slice(-6)).toBe(digits)
})
