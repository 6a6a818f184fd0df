import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** An object of packed events, or the bundle of a branch. */
export interface ArchiveObjectTable {
  object_key: string
  bytes: number
  /** Since when nothing names it; null while something does. */
  unnamed_at: Date | null
}

/** A turn or an ask of the log that has not ended: its last event. */
export interface OpenEvent {
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly event_id: string | null
  readonly stored_at: string
  readonly payload: Readonly<Record<string, unknown>>
}

interface Piece {
  session_id: string
  /** The month whose events it holds. */
  partition: string
  first_seq: number
  last_seq: number
  object_key: string
  offset: number
  length: number
  /** Of its bytes in the object. */
  sha256: string
  has_conversation: boolean
  /** Everything of the session that is open at its end, so that what ends a turn needs no object. */
  open_events: JSONColumnType<readonly OpenEvent[], string, never>
}

/** A piece of a session's log, without a gap: one gzip member of an object. */
export interface EventArchiveTable extends Piece {
  archive_id: Generated<string>
  /** Of the piece before it. */
  prev_sha256: string | null
}

/** A piece of a month that is not sealed yet. */
export type EventArchiveDraftTable = Piece

export type EventArchiveRow = Selectable<EventArchiveTable>
export type EventArchiveDraftRow = Selectable<EventArchiveDraftTable>
