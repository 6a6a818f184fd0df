import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * A sandbox that is made before its session. wait: its daemon answers. claim: a session has it, for ever. give_up: none
 * will; it is removed next.
 */
export const warmSandboxMachine = machine({
  warming: { wait: 'ready', give_up: 'gone' },
  ready: { claim: 'claimed', give_up: 'gone' },
  claimed: {},
  gone: {},
})

export type WarmSandboxState = StateOf<typeof warmSandboxMachine>
export type WarmSandboxEvent = EventOf<typeof warmSandboxMachine>
