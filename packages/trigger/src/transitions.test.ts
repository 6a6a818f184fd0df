import { describe, expect, test } from 'vitest'
import {
  fireEvents,
  fireStatusAfter,
  fireStatuses,
  fireStatusesAccepting,
  owedStatuses,
} from './transitions.ts'

const accepted = [
  ['pending', 'fire', 'fired'],
  ['pending', 'queue', 'queued'],
  ['pending', 'skip', 'skipped'],
  ['pending', 'fail', 'failed'],
  ['queued', 'fire', 'fired'],
  ['queued', 'queue', 'queued'],
  ['queued', 'skip', 'skipped'],
  ['queued', 'fail', 'failed'],
] as const

describe.each(fireStatuses)('a %s fire', (status) => {
  test.each(fireEvents)('and %s', (event) => {
    const to = accepted.find(([from, name]) => from === status && name === event)?.[2] ?? null
    expect(fireStatusAfter(status, event)).toBe(to)
    expect(fireStatusesAccepting(event).includes(status)).toBe(to !== null)
  })
})

test('only pending and queued fires are owed a session', () =>
  expect(owedStatuses).toEqual(['pending', 'queued']))
