import type { Machine } from '@svc/machine'
import { describe, expect, test } from 'vitest'
import { previewMachine } from './preview-machine.ts'
import { promptMachine } from './prompt-machine.ts'
import { sandboxMachine } from './sandbox-machine.ts'
import { sessionMachine } from './session-machine.ts'
import { warmSandboxMachine } from './warm-sandbox-machine.ts'

/** Each table once more, in the order of a reader's question: what happens to it, from there? */
const tables = [
  [
    'session',
    arrowsOf(sessionMachine),
    [
      'provisioning ready running',
      'provisioning stop stopped',
      'provisioning fail failed',
      'provisioning restart provisioning',
      'running stop stopped',
      'running exit stopped',
      'running fail failed',
      'running restart provisioning',
      'stopped start provisioning',
      'stopped restart provisioning',
      'stopped fail failed',
      'failed start provisioning',
      'failed restart provisioning',
    ],
  ],
  [
    'prompt',
    arrowsOf(promptMachine),
    [
      'pending deliver delivered',
      'pending begin running',
      'pending complete done',
      'pending fail failed',
      'pending cancel cancelled',
      'delivered deliver delivered',
      'delivered begin running',
      'delivered complete done',
      'delivered fail failed',
      'delivered cancel cancelled',
      'delivered requeue pending',
      'running complete done',
      'running fail failed',
      'running interrupt failed',
    ],
  ],
  [
    'sandbox',
    arrowsOf(sandboxMachine),
    [
      'provisioning activate active',
      'provisioning stop stopped',
      'provisioning error error',
      'provisioning renew provisioning',
      'provisioning archive archived',
      'active activate active',
      'active stop stopped',
      'active error error',
      'active renew provisioning',
      'active archive archived',
      'stopped resume provisioning',
      'stopped error error',
      'stopped renew provisioning',
      'stopped archive archived',
      'error resume provisioning',
      'error renew provisioning',
      'error archive archived',
    ],
  ],
  [
    'warm sandbox',
    arrowsOf(warmSandboxMachine),
    ['warming wait ready', 'warming give_up gone', 'ready claim claimed', 'ready give_up gone'],
  ],
  ['preview', arrowsOf(previewMachine), ['ticket open open']],
] as const

test.each(tables)('a %s accepts these events and no others', (_noun, arrows, rows) =>
  expect(arrows.toSorted()).toEqual([...rows].sort()),
)

describe('a session', () => {
  test('is never queued, branching or completed', () => {
    const reached = sessionMachine.events.map((event) => sessionMachine.to(event))
    for (const status of ['queued', 'branching', 'completed'] as const) expect(reached).not.toContain(status)
  })
})

function arrowsOf<State extends string, Event extends string>({
  states,
  events,
  accepts,
  to,
}: Machine<State, Event>): string[] {
  return states.flatMap((state) =>
    events.filter((event) => accepts(state, event)).map((event) => `${state} ${event} ${to(event)}`),
  )
}
