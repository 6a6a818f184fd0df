import type { Generated, Selectable } from 'kysely'
import type { AuditEventTable } from './audit.table.ts'

/** The end of the platform's chain: one row. */
export interface PlatformAuditHeadTable {
  id: Generated<true>
  seq: number
  prev_hash: string
  hash: string
}

/** As an account's events, of which a change by an operator names one or none. Append-only. */
export interface PlatformAuditEventTable extends Omit<AuditEventTable, 'account_id'> {
  account_id: string | null
}

export type PlatformAuditEventRow = Selectable<PlatformAuditEventTable>
