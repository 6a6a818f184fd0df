import { expect, test } from 'vitest'
import { mergeAttemptMachine, mergeIntentMachine } from './merge-machines.ts'

test.each([
  ['merge', 'merged'],
  ['refuse', 'refused'],
] as const)('%s ends an attempt that is owed its outcome as %s', (event, status) => {
  expect(mergeAttemptMachine.to(event)).toBe(status)
  expect(mergeAttemptMachine.from(event)).toEqual(['pending'])
})

test.each([
  ['move', 'moved'],
  ['abandon', 'abandoned'],
] as const)('%s ends a plan as %s', (event, state) => {
  expect(mergeIntentMachine.to(event)).toBe(state)
  expect(mergeIntentMachine.from(event)).toEqual(['planned'])
})

test('there are no other events', () =>
  expect([...mergeAttemptMachine.events, ...mergeIntentMachine.events]).toHaveLength(4))
