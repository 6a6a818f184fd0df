import { describe, expect, test } from 'vitest'
import {
  envNamePattern,
  modelNamePattern,
  platformNamePattern,
  signInProviderPattern,
  slugPattern,
  upperEnvNamePattern,
} from './patterns.ts'

const cases = [
  ['slug', slugPattern, ['a', '0', 'a-b_c', 'a'.repeat(128)], ['', '-a', '_a', 'A', 'a.b', 'a'.repeat(129)]],
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
