import { expect, test } from 'vitest'
import { deliveryMachine } from './delivery-machine.ts'
import { fireMachine } from './fire-machine.ts'
import { manifestEditMachine } from './manifest-edit-machine.ts'

test.each([
  ['fire', 'fired'],
  ['queue', 'queued'],
  ['skip', 'skipped'],
  ['fail', 'failed'],
  ['miss', 'missed'],
] as const)('%s leads to %s, of a fire that is owed its session alone', (event, status) => {
  expect(fireMachine.to(event)).toBe(status)
  expect(fireMachine.from(event)).toEqual(['pending', 'queued'])
})

test.each([
  ['finish', 'done'],
  ['refuse', 'refused'],
] as const)('%s ends an edit that is owed its outcome as %s', (event, status) => {
  expect(manifestEditMachine.to(event)).toBe(status)
  expect(manifestEditMachine.from(event)).toEqual(['pending'])
})

test.each([
  ['skip', 'skipped'],
  ['fail', 'failed'],
] as const)('%s leaves a delivery that was accepted as %s', (event, verdict) => {
  expect(deliveryMachine.to(event)).toBe(verdict)
  expect(deliveryMachine.from(event)).toEqual(['accepted'])
})

test('there are no other events', () =>
  expect([fireMachine, manifestEditMachine, deliveryMachine].map(({ events }) => events.length)).toEqual([
    5, 2, 2,
  ]))
