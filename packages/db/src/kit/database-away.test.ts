import { expect, test } from 'vitest'
import { isDatabaseAway, isUnstorableText } from './database-away.ts'

const withCode = (code: string, more: object = {}) => Object.assign(new Error('text'), { code, ...more })

test.each([
  withCode('ECONNREFUSED'),
  withCode('ENOENT', { syscall: 'connect' }),
  withCode('57P01'),
  withCode('57P03'),
  withCode('08006'),
  withCode('53300'),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
  new AggregateError([withCode('ECONNREFUSED')], ''),
])('%o is a database that is away', (error) => expect(isDatabaseAway(error)).toBe(true))

test.each([
  withCode('ENOENT'),
  withCode('23505'),
  withCode('42P01'),
  new TypeError('x'),
  'ECONNREFUSED',
  null,
])('%o is a defect', (error) => expect(isDatabaseAway(error)).toBe(false))

test('a text that cannot be stored is the caller’s fault', () => {
  expect(isUnstorableText(withCode('22021'))).toBe(true)
  expect(isUnstorableText(withCode('22P02'))).toBe(false)
})
