import { type Migration, Migrator, sql } from 'kysely'
import type { Db } from '../database.ts'
import { againIfLocked } from '../kit/lock-timeouts.ts'
import { runBackfill } from './backfill.ts'
import { concurrentLockTimeout, holdingLockTimeout, lockTimeout } from './lock-timeout.ts'
import { checksumOf, type SchemaMigration } from './migration.ts'
import { hasTable } from './read-schema.ts'

export async function runMigration(
  db: Db,
  ran: readonly string[],
  migration: SchemaMigration,
  version: string,
): Promise<void> {
  try {
    await runBackfill(db, migration)
    await againIfLocked((tries) => tryOne(db, ran, migration, { version, tries }))
  } catch (error) {
    throw new Error(`The migration ${migration.name} failed: ${messageOf(error)}`, { cause: error })
  }
}

interface Try {
  readonly version: string
  /** From 1 on. */
  readonly tries: number
}

async function tryOne(db: Db, ran: readonly string[], migration: SchemaMigration, run: Try): Promise<void> {
  const known = ran.map((name): [string, Migration] => [name, { up: async () => undefined }])
  const due = { up: (tx: Db) => runStatements(tx, migration, run) }
  const migrator = new Migrator({
    db,
    // What others ran and this build does not know is no reason to stop.
    allowUnorderedMigrations: true,
    disableTransactions: !migration.in_transaction,
    provider: { getMigrations: async () => ({ ...Object.fromEntries(known), [migration.name]: due }) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

async function runStatements(tx: Db, migration: SchemaMigration, { version, tries }: Try): Promise<void> {
  const began = performance.now()
  for (const [index, statement] of migration.statements.entries()) {
    const alone = /\bconcurrently\b/i.test(statement) ? concurrentLockTimeout : lockTimeout
    const timeout = migration.in_transaction && index > 0 ? holdingLockTimeout(tries) : alone
    await sql`select set_config('lock_timeout', ${timeout}, ${migration.in_transaction})`.execute(tx)
    await dropUnfinished(tx, statement)
    await sql.raw(statement).execute(tx)
  }
  await note(tx, migration, { version, duration_ms: Math.round(performance.now() - began) })
}

/** An index that was being made when its process was killed stays, is used by no query, and would pass for made. */
async function dropUnfinished(db: Db, statement: string): Promise<void> {
  const [, name] = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement) ?? []
  if (name === undefined) return
  const { rows } =
    await sql`select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(db)
  if (rows.length > 0) await sql`drop index concurrently ${sql.ref(name)}`.execute(db)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Run {
  readonly version: string
  readonly duration_ms: number | null
}

/** Notes in the transaction of the migration itself that it ran. Before there are books, `noteEarlier` does. */
export async function note(tx: Db, migration: SchemaMigration, { version, duration_ms }: Run): Promise<void> {
  if (!(await hasTable(tx, 'schema_migrations'))) return
  const { name, phase, level, min_reader } = migration
  await tx
    .insertInto('schema_migrations')
    .values({
      name,
      phase,
      level,
      checksum: checksumOf(migration),
      version,
      applied_at: new Date(),
      duration_ms,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const atLeast = (column: 'level' | 'min_reader', value: number) =>
    sql<number>`greatest(${sql.ref(column)}, ${value}::integer)`
  await tx
    .updateTable('schema_state')
    .set({
      level: atLeast('level', level),
      min_reader: atLeast('min_reader', min_reader ?? 0),
      updated_at: new Date(),
      updated_by: version,
    })
    .execute()
}
