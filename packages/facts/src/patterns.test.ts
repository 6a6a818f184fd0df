import { describe, expect, test } from 'vitest'
import {
  bearerToken,
  commitShaPattern,
  envNamePattern,
  modelNamePattern,
  platformNamePattern,
  sha256Pattern,
  signInProviderPattern,
  slugPattern,
  upperEnvNamePattern,
  uuidPattern,
} from './patterns.ts'

const cases = [
  ['slug', slugPattern, ['a', '0', 'a-b_c', 'a'.repeat(128)], ['', '-a', '_a', 'A', 'a.b', 'a'.repeat(129)]],
  [
    'id of a row',
    uuidPattern,
    ['0190a0b0-0000-7000-8000-00000000000f', '0190A0B0-0000-7000-8000-00000000000F'],
    ['', '0190a0b0', '0190a0b0-0000-7000-8000-00000000000f ', '0190a0b000007000800000000000000f'],
  ],
  ['SHA-256', sha256Pattern, ['a'.repeat(64)], ['', 'a'.repeat(63), 'A'.repeat(64), 'a'.repeat(65)]],
  ['commit', commitShaPattern, ['0'.repeat(40)], ['', '0'.repeat(39), 'F'.repeat(40), '0'.repeat(64)]],
  ['env name', envNamePattern, ['a', '_', 'A1_b'], ['', '1A', 'A-B', 'A.B', 'Ä']],
  ['env name in capitals', upperEnvNamePattern, ['A', '_', 'A1_B'], ['', 'a', '1A', 'A-B']],
  [
    "name of the platform's own",
    platformNamePattern,
    ['SVC_', 'SVC_TOKEN'],
    ['', 'SVC', 'svc_token', 'MY_SVC_TOKEN'],
  ],
  [
    'model',
    modelNamePattern,
    ['acme/great', 'a/b/c', 'a/b/'],
    ['', 'acme', 'acme/', '/great', 'acme//great', 'a /b'],
  ],
  [
    'provider of sign-in',
    signInProviderPattern,
    ['okta', '0-a', 'a'.repeat(64)],
    ['', '-a', 'A', 'a'.repeat(65)],
  ],
] as const

describe.each(cases)('a %s', (_what, pattern, accepted, refused) => {
  test.each(accepted)('may be %j', (text) => expect(pattern.test(text)).toBe(true))
  test.each(refused)('is not %j', (text) => expect(pattern.test(text)).toBe(false))
})

test.each([
  ['Bearer a.b-c', 'a.b-c'],
  ['bearer  a ', 'a'],
  ['Bearer a b', null],
  ['Bearer ', null],
  ['Bearer', null],
  ['Basic YTpi', null],
  ['abc', null],
  [undefined, null],
  [null, null],
])('the token of %j is %j', (header, token) => expect(bearerToken(header)).toBe(token))
