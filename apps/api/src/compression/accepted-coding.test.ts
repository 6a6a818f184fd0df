import { expect, test } from 'vitest'
import { acceptedCoding } from './accepted-coding.ts'

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['BR ; q=1.0', 'br'],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=x', null],
])('%j is %s', (header, coding) => {
  expect(acceptedCoding(header)).toBe(coding)
})
