import { expect, test } from 'vitest'
import { sessionCounts } from './session-counts.ts'

test('no two states of the overview have one word', () => {
  const counts = { queued: 1, branching: 2, provisioning: 3, running: 4, stopped: 5, failed: 6, completed: 0 }
  expect(sessionCounts(counts)).toEqual([
    ['queued', 1],
    ['starting', 5],
    ['running', 4],
    ['stopped', 5],
    ['failed', 6],
    ['completed', 0],
  ])
})
