import { expect, test } from 'vitest'
import { fireMachine } from './fire-machine.ts'

test.each([
  ['fire', 'fired'],
  ['queue', 'queued'],
  ['skip', 'skipped'],
  ['fail', 'failed'],
] as const)('%s leads to %s, of a fire that is owed its session alone', (event, status) => {
  expect(fireMachine.to(event)).toBe(status)
  expect(fireMachine.from(event)).toEqual(['pending', 'queued'])
})

test('there are no other events', () => expect(fireMachine.events).toHaveLength(4))
