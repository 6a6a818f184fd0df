import { expect, test } from 'vitest'
import { callMachine, liveCallStatuses } from './call-machine.ts'

test('each state accepts the events of the table and leads where it says', () => {
  const arrows = callMachine.states.flatMap((state) =>
    callMachine.events
      .filter((event) => callMachine.accepts(state, event))
      .map((event) => `${state} ${event} ${callMachine.to(event)}`),
  )
  expect(arrows).toEqual([
    'admitted first_byte streaming',
    'admitted finish settled',
    'admitted fail failed',
    'admitted cut cut',
    'admitted expire lost',
    'streaming finish settled',
    'streaming fail failed',
    'streaming cut cut',
    'streaming expire lost',
  ])
})

test('money is held in the two states that have an end before them', () => {
  expect(liveCallStatuses).toEqual(['admitted', 'streaming'])
})
