import { machine, type StateOf } from '@svc/machine'

/** A backup: asked for or under way, and how it ended. */
export const backupMachine = machine({
  running: { finish: 'done', fail: 'failed' },
  done: {},
  failed: {},
})

export type BackupState = StateOf<typeof backupMachine>
