import { describe, expect, test } from 'vitest'
import { approvalMachine, callMachine } from './call-machine.ts'
import { reviewMachine, reviewVerdicts } from './review-machine.ts'

test.each([
  ['approve', 'approved', ['awaiting_approval']],
  ['deny', 'rejected', ['awaiting_approval']],
  ['expire', 'expired', ['awaiting_approval']],
  ['cancel', 'cancelled', ['awaiting_approval', 'approved']],
  ['claim', 'executing', ['approved']],
  ['refuse', 'denied', ['approved', 'executing']],
  ['succeed', 'succeeded', ['executing']],
  ['fail', 'failed', ['executing']],
  ['lose', 'unknown', ['executing']],
  ['release', 'approved', ['executing']],
  ['restore', 'unknown', ['approved', 'executing']],
  ['happened', 'succeeded', ['unknown']],
  ['did_not_happen', 'failed', ['unknown']],
] as const)('a call: %s leads to %s from %j', (event, to, from) => {
  expect(callMachine.to(event)).toBe(to)
  expect(callMachine.from(event)).toEqual(from)
})

test.each([
  ['approve', 'approved'],
  ['deny', 'denied'],
  ['expire', 'expired'],
  ['cancel', 'cancelled'],
] as const)('an approval: %s leads to %s, while it is pending', (event, to) => {
  expect(approvalMachine.to(event)).toBe(to)
  expect(approvalMachine.from(event)).toEqual(['pending'])
})

test.each([
  ['approve', 'approved', 'needs_you'],
  ['request_changes', 'changes_requested', 'needs_you'],
  ['reject', 'rejected', 'needs_you'],
  ['dismiss', 'dismissed', 'needs_you'],
  ['withdraw', 'withdrawn', 'needs_you'],
  ['resubmit', 'needs_you', 'changes_requested'],
] as const)('a review item: %s leads to %s from %s', (event, to, from) => {
  expect(reviewMachine.to(event)).toBe(to)
  expect(reviewMachine.from(event)).toEqual([from])
})

describe('there is nothing else', () => {
  test('no other events', () => {
    expect([callMachine, approvalMachine, reviewMachine].map(({ events }) => events.length)).toEqual([
      13, 4, 6,
    ])
  })

  test('every verdict is an event of an item that needs a person', () => {
    for (const verdict of reviewVerdicts) expect(reviewMachine.accepts('needs_you', verdict)).toBe(true)
  })

  test.each(['denied', 'rejected', 'expired', 'cancelled', 'succeeded', 'failed'] as const)(
    '%s is an end',
    (end) => {
      for (const event of callMachine.events) expect(callMachine.accepts(end, event)).toBe(false)
    },
  )
})
