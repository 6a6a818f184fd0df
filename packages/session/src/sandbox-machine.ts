import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * The sandbox record's own statuses. activate: its daemon answers; one that was started again before it had stopped is
 * active still. renew: a new sandbox takes the place of the old one. archive: the session was deleted; the record stays
 * for its history.
 */
export const sandboxMachine = machine({
  provisioning: {
    activate: 'active',
    stop: 'stopped',
    error: 'error',
    renew: 'provisioning',
    archive: 'archived',
  },
  active: {
    activate: 'active',
    stop: 'stopped',
    error: 'error',
    renew: 'provisioning',
    archive: 'archived',
  },
  stopped: { resume: 'provisioning', error: 'error', renew: 'provisioning', archive: 'archived' },
  error: { resume: 'provisioning', renew: 'provisioning', archive: 'archived' },
  archived: {},
})

export type SandboxRecordStatus = StateOf<typeof sandboxMachine>
export type SandboxEvent = EventOf<typeof sandboxMachine>
