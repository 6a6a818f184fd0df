import { sql } from 'kysely'
import { createDatabase, type Db } from '../database.ts'
import { withAskedLock } from '../kit/locks.ts'
import * as processes from '../processes/processes.ts'
import type { SchemaMigration } from './migration.ts'
import { migrations as ofThisBuild } from './migrations.ts'
import { hasTable, listRan } from './read-schema.ts'
import { note, runMigration } from './run-migration.ts'

export interface MigrateOptions {
  /** The release that runs them, for the record. */
  readonly version?: string
  /** Also runs the migrations of phase `contract`, which no living process may be too old for. */
  readonly contract?: boolean
  readonly migrations?: readonly SchemaMigration[]
}

/** The oldest server that the schema is made for and tested on. */
const minServer = 15

/** A schema that cannot be brought up to date as asked; nothing was changed. */
export class SchemaRefusal extends Error {}

/**
 * Brings the schema up to date and returns the names of what ran. Any number of processes may call it at once: one works,
 * the others wait for it and find nothing to do. Each migration is there whole or not at all.
 */
export async function migrate(
  connection_string: string,
  { version = '', contract = false, migrations = ofThisBuild }: MigrateOptions = {},
): Promise<string[]> {
  const db = createDatabase(connection_string, { max: 2 })
  try {
    await requireServer(db)
    return await withAskedLock(db, 'schema', async () => {
      const ran = await listRan(db)
      const due = migrations.filter(({ name, phase }) => !ran.has(name) && (contract || phase === 'expand'))
      if (contract) await requireReaders(db, due)
      for (const migration of due) {
        await runMigration(db, [...ran], migration, version)
        ran.add(migration.name)
      }
      await noteEarlier(db, migrations, ran)
      return due.map(({ name }) => name)
    })
  } finally {
    await db.destroy()
  }
}

async function requireServer(db: Db): Promise<void> {
  const { rows } = await sql<{
    version: string
  }>`select current_setting('server_version') as version`.execute(db)
  const found = rows[0]?.version ?? ''
  if (Number.parseInt(found, 10) >= minServer) return
  throw new SchemaRefusal(`PostgreSQL ${minServer} or newer is needed; this server is ${found}`)
}

/** A contract takes from older builds what they use: every living process has to be beyond that. */
async function requireReaders(db: Db, due: readonly SchemaMigration[]): Promise<void> {
  const min_reader = Math.max(0, ...due.map((migration) => migration.min_reader ?? 0))
  if (min_reader === 0) return
  const old = (await processes.listLiving(db, new Date())).filter(
    ({ schema_level }) => schema_level < min_reader,
  )
  if (old.length === 0) return
  const names = old.map(
    ({ service, version, machine, pid }) => `${service} ${version} (${machine}, pid ${pid})`,
  )
  throw new SchemaRefusal(
    `Processes run that know the schema only below level ${min_reader}: ${names.join(', ')}. End or upgrade them first; nothing was changed.`,
  )
}

/** Adds to the books what ran before there were any. */
async function noteEarlier(
  db: Db,
  migrations: readonly SchemaMigration[],
  ran: ReadonlySet<string>,
): Promise<void> {
  if (!(await hasTable(db, 'schema_migrations'))) return
  const rows = await db.selectFrom('schema_migrations').select('name').execute()
  const noted = new Set(rows.map(({ name }) => name))
  for (const migration of migrations)
    if (ran.has(migration.name) && !noted.has(migration.name))
      await note(db, migration, { version: '', duration_ms: null })
}
