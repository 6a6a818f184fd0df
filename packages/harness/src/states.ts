import { type EventOf, machine, type StateOf } from '@svc/machine'

/** The files of one version of a harness in one store. */
export const installMachine = machine({
  wanted: { begin: 'installing', evict: 'removed' },
  installing: { done: 'ready', fail: 'failed', lost: 'wanted' },
  failed: { want: 'wanted', evict: 'removed' },
  ready: { damaged: 'wanted', evict: 'removed' },
  removed: { want: 'wanted' },
})

export type InstallState = StateOf<typeof installMachine>
export type InstallEvent = EventOf<typeof installMachine>

/** The agent of a session as it was heard of last. */
export const runtimeMachine = machine({
  starting: { open: 'ready', quiet: 'silent', end: 'down' },
  ready: { begin: 'starting', quiet: 'silent', end: 'down' },
  silent: { begin: 'starting', open: 'ready', end: 'down' },
  down: { begin: 'starting', open: 'ready' },
})

export type RuntimeState = StateOf<typeof runtimeMachine>
