import { expect, test } from 'vitest'
import { promptEvents, promptStateAfter, promptStateOf, promptStatesAccepting } from './prompt-transitions.ts'
import { promptStates } from './records.ts'

const accepted = [
  ['pending', 'deliver', 'delivered'],
  ['pending', 'begin', 'running'],
  ['pending', 'complete', 'done'],
  ['pending', 'fail', 'failed'],
  ['pending', 'cancel', 'cancelled'],
  ['delivered', 'begin', 'running'],
  ['delivered', 'complete', 'done'],
  ['delivered', 'fail', 'failed'],
  ['delivered', 'cancel', 'cancelled'],
  ['delivered', 'requeue', 'pending'],
  ['running', 'complete', 'done'],
  ['running', 'fail', 'failed'],
] as const

test.each(accepted)('%s + %s = %s', (from, event, to) => {
  expect(promptStateAfter(from, event)).toBe(to)
  expect(promptStateOf(event)).toBe(to)
})

test('everything else is refused: a turn that began is never begun again, an end is an end', () => {
  for (const state of promptStates) {
    for (const event of promptEvents) {
      const known = accepted.some(([from, name]) => from === state && name === event)
      expect(promptStateAfter(state, event) !== null).toBe(known)
      expect(promptStatesAccepting(event).includes(state)).toBe(known)
    }
  }
})
