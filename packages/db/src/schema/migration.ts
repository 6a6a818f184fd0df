import { createHash } from 'node:crypto'

/** The contents of a file below `migrations/`. A file that landed never changes: what it left out is a new file. */
export interface MigrationFile {
  readonly statements: readonly string[]
  /**
   * `expand` (the default) adds what builds that run do not miss and may ignore. `contract` removes what no running build
   * reads or writes any more, and waits for the operator's word.
   */
  readonly phase?: 'expand' | 'contract'
  /** Of a contract: the level that a build has to know so that it no longer uses what goes. */
  readonly min_reader?: number
  /** False for statements that PostgreSQL refuses inside a transaction; each must then be one that may run twice. */
  readonly in_transaction?: boolean
  /**
   * Data that moves before the statements, in steps that are a transaction each. One statement, which is given `$1`, the
   * last key that is done as text (null at first), and `$2`, the number of rows of a step; it answers one row: `cursor`,
   * the last key of this step as text, and `rows`, how many rows it moved. Fewer than `$2` is the end. Builds that run
   * write meanwhile: what they write has to be right by itself, as by a default or a trigger of an earlier migration.
   */
  readonly backfill?: string
}

export interface SchemaMigration extends Required<Omit<MigrationFile, 'min_reader' | 'backfill'>> {
  readonly name: string
  /** Its place in the list, from 1. A database is at the level of the last one that ran. */
  readonly level: number
  /** Null but for a contract. */
  readonly min_reader: number | null
  readonly backfill: string | null
}

/** Numbers the files, which are in the order of their names. */
export function numbered(files: Readonly<Record<string, MigrationFile>>): SchemaMigration[] {
  return Object.entries(files).map(([name, file], index) => ({
    name,
    level: index + 1,
    statements: file.statements,
    phase: file.phase ?? 'expand',
    min_reader: file.min_reader ?? null,
    in_transaction: file.in_transaction ?? true,
    backfill: file.backfill ?? null,
  }))
}

/** SHA-256 of all that it runs, each with LF at the ends of its lines. */
export function checksumOf({
  statements,
  backfill,
}: Pick<SchemaMigration, 'statements' | 'backfill'>): string {
  const run = backfill === null ? statements : [backfill, ...statements]
  const text = run.map((statement) => statement.replaceAll('\r\n', '\n')).join(';\n')
  return createHash('sha256').update(text).digest('hex')
}

/** The levels of a build: what it cannot run without, and the newest that it knows. */
export interface BuildLevels {
  readonly needed: number
  readonly newest: number
}

export function levelsOf(migrations: readonly SchemaMigration[]): BuildLevels {
  const expands = migrations.filter(({ phase }) => phase === 'expand')
  return { needed: expands.at(-1)?.level ?? 0, newest: migrations.at(-1)?.level ?? 0 }
}
