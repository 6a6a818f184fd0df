import { expect, test } from 'vitest'
import { bearerToken } from './authenticate.ts'

test.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['Bearer  abc ', 'abc'],
  ['Bearer', null],
  ['Bearer ', null],
  ['Bearer a b', null],
  ['Basic abc', null],
  ['abc', null],
  [undefined, null],
])('%s', (header, token) => expect(bearerToken(header)).toBe(token))
