import type { Generated, Selectable } from 'kysely'

/** A machine on which sandboxes are made. */
export interface MachineTable {
  machine: string
  provider: string
  state: Generated<'open' | 'draining'>
  /** The end of the time that busy sandboxes are given. */
  drain_until: Generated<Date | null>
  seen_at: Date
}

export type MachineRow = Selectable<MachineTable>
