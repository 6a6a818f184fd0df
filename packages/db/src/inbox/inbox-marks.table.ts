import type { Selectable } from 'kysely'

/** A version of an item of the inbox that a person put aside. */
export interface InboxMarkTable {
  user_id: string
  item_id: string
  version: string
  state: 'done' | 'snoozed'
  /** Of a snoozed one: when it is back. */
  until: Date | null
  marked_at: Date
}

export type InboxMarkRow = Selectable<InboxMarkTable>
