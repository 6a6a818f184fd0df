import { machine, type StateOf } from '@svc/machine'

/** An archived project is out of reach of every caller. */
export const projectMachine = machine({
  active: { archive: 'archived' },
  archived: {},
})

export type ProjectStatus = StateOf<typeof projectMachine>
