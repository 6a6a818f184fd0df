import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** A provider, and the harnesses of its sandboxes: those of its machine's store, or these `name@version` of its image. */
export interface HeldHarnesses {
  readonly provider: string
  readonly harnesses: 'store' | readonly string[]
}

/** A machine on which sandboxes are made. */
export interface MachineTable {
  machine: string
  provider: string
  state: Generated<'open' | 'draining'>
  /** The end of the time that busy sandboxes are given. */
  drain_until: Generated<Date | null>
  seen_at: Date
  /** Its sandboxes are reached from other machines. */
  door: Generated<boolean>
  /** The harnesses that its sandboxes may have, by its providers in their order; null where its worker did not say. */
  harnesses: JSONColumnType<readonly HeldHarnesses[] | null, string | null, string | null>
}

export type MachineRow = Selectable<MachineTable>
