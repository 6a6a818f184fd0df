import { sessionMachine } from '@svc/session'
import { expect, test } from 'vitest'
import { verbsOf } from './session-verbs.ts'

test.each(sessionMachine.states)('a %s session is offered what its state machine accepts', (status) => {
  const accepted = (['stop', 'start', 'restart'] as const).filter((verb) =>
    sessionMachine.accepts(status, verb),
  )
  expect(verbsOf(status)).toEqual(accepted)
})
