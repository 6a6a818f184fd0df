import { expect, test } from 'vitest'
import { outcomes } from './outcomes.ts'
import { reasons } from './shapes.ts'

test('every reason has an outcome, and only those', () => {
  expect(Object.keys(outcomes)).toEqual(reasons)
})

test.each(reasons)('%s: the status of its answer is of its kind', (reason) => {
  const { status, http } = outcomes[reason]
  const kinds = { denied: [403, 404], error: [400, 413, 502, 504], pending: [202] }
  expect(kinds[status]).toContain(http)
})
