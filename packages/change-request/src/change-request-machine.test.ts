import { describe, expect, test } from 'vitest'
import { changeRequestMachine, statusAfter } from './change-request-machine.ts'

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

  const refused = changeRequestMachine.states.flatMap((status) =>
    changeRequestMachine.events
      .filter((event) => !accepted.some(([from, name]) => from === status && name === event))
      .map((event) => [status, event] as const),
  )
  test.each(refused)('%s refuses %s', (from, event) => {
    const code = event === 'reopen' ? 'CR_NOT_CLOSED' : 'CR_NOT_OPEN'
    expect(() => statusAfter(from, event)).toThrow(expect.objectContaining({ code }))
  })

  test.each(changeRequestMachine.events)('the SQL guard of %s reads the same table', (event) => {
    for (const status of changeRequestMachine.states) {
      const accepts = changeRequestMachine.from(event).includes(status)
      expect(accepts).toBe(accepted.some(([from, name]) => from === status && name === event))
    }
  })
})
