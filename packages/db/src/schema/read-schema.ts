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
  const [levels, checksums] = [await readLevels(db), await readChecksums(db)]
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  return {
    ...levels,
    ...levelsOf(migrations),
    pending: migrations.filter(({ name }) => !ran.has(name)).map(({ name, phase }) => ({ name, phase })),
    ahead: [...ran].filter((name) => !known.has(name)),
    drifted: checksums.flatMap(({ name, checksum: found }) => {
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

/** All that a process has to know of a database before it works on it. */
export async function readLevels(db: Db): Promise<Pick<SchemaStatus, 'level' | 'min_reader'>> {
  if (!(await hasTable(db, 'schema_state'))) return { level: 0, min_reader: 0 }
  return db.selectFrom('schema_state').select(['level', 'min_reader']).executeTakeFirstOrThrow()
}

async function readChecksums(db: Db) {
  if (!(await hasTable(db, 'schema_migrations'))) return []
  return db.selectFrom('schema_migrations').select(['name', 'checksum']).orderBy('name').execute()
}

export async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db)
  return rows[0]?.found === true
}
