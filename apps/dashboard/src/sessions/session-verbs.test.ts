import { sessionStatuses, sessionStatusesAccepting } from '@svc/session'
import { expect, test } from 'vitest'
import { verbsOf } from './session-verbs.ts'

test.each(sessionStatuses)('a %s session is offered what its state machine accepts', (status) => {
  const accepted = (['stop', 'start', 'restart'] as const).filter((verb) =>
    sessionStatusesAccepting(verb).includes(status),
  )
  expect(verbsOf(status)).toEqual(accepted)
})
