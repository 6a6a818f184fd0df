import { describe, expect, test } from 'vitest'
import { changeRequestEvents, changeRequestStatuses, statusAfter, statusesAccepting } from './transitions.ts'

const accepted = [
  ['open', 'merge', 'merged'],
  ['open', 'close', 'closed'],
  ['open', 'request_changes', 'open'],
  ['open', 'edit', 'open'],
  ['closed', 'reopen', 'open'],
] as const

describe('change request transitions', () => {
  test.each(accepted)('%s + %s = %s', (from, event, to) => {
    expect(statusAfter(from, event)).toBe(to)
  })

  const refused = changeRequestStatuses.flatMap((status) =>
    changeRequestEvents
      .filter((event) => !accepted.some(([from, name]) => from === status && name === event))
      .map((event) => [status, event] as const),
  )
  test.each(refused)('%s refuses %s', (from, event) => {
    const code = event === 'reopen' ? 'CR_NOT_CLOSED' : 'CR_NOT_OPEN'
    expect(() => statusAfter(from, event)).toThrow(expect.objectContaining({ code }))
  })

  test.each(changeRequestEvents)('the SQL guard of %s reads the same table', (event) => {
    for (const status of changeRequestStatuses) {
      const accepts = statusesAccepting(event).includes(status)
      expect(accepts).toBe(accepted.some(([from, name]) => from === status && name === event))
    }
  })
})
