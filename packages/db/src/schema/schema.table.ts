import type { Generated } from 'kysely'
import type { SchemaMigration } from './migration.ts'

/** One row. */
export interface SchemaStateTable {
  id: Generated<boolean>
  /** Of the last migration that ran. */
  level: number
  /** Builds whose newest level is lower use what is gone. */
  min_reader: number
  updated_at: Date
  /** Release that wrote it. */
  updated_by: string
}

export interface SchemaMigrationTable {
  name: string
  /** SHA-256 of its statements. */
  checksum: string
  phase: SchemaMigration['phase']
  level: number
  /** Release that ran it; empty where it ran before releases were noted. */
  version: string
  applied_at: Date
  /** Null where it ran before it was timed. */
  duration_ms: number | null
}

export interface SchemaBackfillTable {
  name: string
  /** Last key that is done; null at the beginning. */
  cursor: string | null
  done: Generated<boolean>
  rows: Generated<number>
  updated_at: Date
}
