import { expect, test } from 'vitest'
import { ceilingWarning } from './watch-ceiling.ts'

test.each([
  [90, null],
  [
    91,
    'The processes that run (3) may together open 91 connections to PostgreSQL, and max_connections is 100. Lower SVC_DB_POOL and SVC_DB_LOCK_POOL, or raise max_connections.',
  ],
])('%s of 100', (connections, warning) => {
  expect(ceilingWarning({ living: 3, connections, max_connections: 100 })).toBe(warning)
})
