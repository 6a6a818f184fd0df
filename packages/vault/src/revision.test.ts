import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { DataKey } from './data-key.ts'
import { secretsRevision } from './revision.ts'

const key = new DataKey(randomBytes(32))
const entries = [
  { name: 'B', value: '2' },
  { name: 'A', value: '1' },
]
const revision = secretsRevision(key, entries)

test('does not depend on the order', () => {
  expect(secretsRevision(key, [...entries].reverse())).toBe(revision)
  expect(revision).toMatch(/^[0-9a-f]{64}$/)
})

test.each([
  [[]],
  [[{ name: 'A', value: '1' }]],
  [
    [
      { name: 'A', value: '12' },
      { name: 'B', value: '' },
    ],
  ],
  [
    [
      { name: 'A', value: '1' },
      { name: 'B2', value: '' },
    ],
  ],
  [
    [
      { name: 'A', value: '2' },
      { name: 'B', value: '1' },
    ],
  ],
])('differs for %j', (other) => {
  expect(secretsRevision(key, other)).not.toBe(revision)
})

test('tells nothing without the key of the project', () => {
  expect(secretsRevision(new DataKey(randomBytes(32)), entries)).not.toBe(revision)
})
