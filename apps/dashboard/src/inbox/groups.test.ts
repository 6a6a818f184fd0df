import { expect, test } from 'vitest'
import { countedGroups, isOf } from './groups.ts'

test('the groups tell what waits in them, and empty ones are left out', () => {
  expect(countedGroups({ total: 4, question: 1, permission: 2, secret_missing: 1 })).toEqual([
    ['all', 'All 4'],
    ['asks', 'Asks 3'],
    ['setup', 'Set up 1'],
  ])
  expect(countedGroups({ total: 0 })).toEqual([['all', 'All 0']])
})

test('a kind is of its group, and of all', () => {
  expect([isOf('asks', 'permission'), isOf('reviews', 'permission'), isOf('all', 'session_failed')]).toEqual([
    true,
    false,
    true,
  ])
})
