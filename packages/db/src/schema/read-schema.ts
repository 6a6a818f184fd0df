import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { checksumOf, levelsOf, type SchemaMigration } from './migration.ts'
import { migrations as ofThisBuild } from './migrations.ts'

/** A migration whose statements are not those that the database ran. */
export interface DriftedMigration {
  readonly name: string
  /** Checksum in this build. */
  readonly expected: string
  /** Checksum of what ran. */
  readonly found: string
}

export interface SchemaStatus {
  /** The database's; 0 for an empty one. */
  readonly level: number
  /** This build's, as is `newest`. */
  readonly needed: number
  readonly newest: number
  readonly min_reader: number
  readonly pending: readonly Pick<SchemaMigration, 'name' | 'phase'>[]
  /** Migrations that ran and that this build does not know. */
  readonly ahead: readonly string[]
  readonly drifted: readonly DriftedMigration[]
}

/** The schema of a database beside the one of this build. Reads only. */
export async function readSchema(
  db: Db,
  migrations: readonly SchemaMigration[] = ofThisBuild,
): Promise<SchemaStatus> {
  const ran = await listRan(db)
  const books = await readBooks(db)
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  return {
    level: books?.level ?? 0,
    ...levelsOf(migrations),
    min_reader: books?.min_reader ?? 0,
    pending: migrations.filter(({ name }) => !ran.has(name)).map(({ name, phase }) => ({ name, phase })),
    ahead: [...ran].filter((name) => !known.has(name)),
    drifted: (books?.checksums ?? []).flatMap(({ name, checksum: found }) => {
      const migration = known.get(name)
      const expected = migration && checksumOf(migration)
      return expected === undefined || expected === found ? [] : [{ name, expected, found }]
    }),
  }
}

/** The names that Kysely wrote down. */
export async function listRan(db: Db): Promise<Set<string>> {
  if (!(await hasTable(db, 'kysely_migration'))) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function readBooks(db: Db) {
  if (!(await hasTable(db, 'schema_state'))) return null
  const state = await db.selectFrom('schema_state').select(['level', 'min_reader']).executeTakeFirstOrThrow()
  const checksums = await db
    .selectFrom('schema_migrations')
    .select(['name', 'checksum'])
    .orderBy('name')
    .execute()
  return { ...state, checksums }
}

export async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db)
  return rows[0]?.found === true
}
