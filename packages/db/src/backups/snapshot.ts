import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { leftOut } from './left-out.ts'

export interface ManagedProject {
  readonly project_id: string
  readonly default_branch: string
}

/** Every row as it was at one moment, while others write on. */
export interface Snapshot {
  /** All that was committed before is in it. */
  readonly rows_at: Date
  readonly level: number
  readonly tables: readonly string[]
  readonly sequences: Readonly<Record<string, string>>
  readonly projects: readonly ManagedProject[]
  /** The rows of a table as `COPY` writes them, after a line of column names. One at a time. */
  copy(table: string): Readable
  close(): Promise<void>
}

export async function openSnapshot(connection_string: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: connection_string, application_name: 'svc-backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local idle_in_transaction_session_timeout = 0`)
    // The time of the transaction is that of its begin, and the snapshot is taken after it.
    const { rows: times } = await client.query<{ at: Date; level: number }>(
      'select now() as at, level from schema_state',
    )
    const [time] = times
    if (!time) throw new Error('The database has no schema; run migrate first')
    const tables = await tablesOf(client)
    const { rows: sequences } = await client.query<{ name: string; value: string }>(
      `select sequencename as name, last_value::text as value from pg_sequences
       where schemaname = current_schema() and last_value is not null order by 1`,
    )
    const { rows: projects } = await client.query<ManagedProject>(
      `select project_id, default_branch from projects where kind = 'managed' order by project_id`,
    )
    const columns = new Map<string, string[]>()
    for (const table of tables) columns.set(table, await columnsOf(client, table))
    return {
      rows_at: time.at,
      level: time.level,
      tables,
      sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, value])),
      projects,
      copy(table) {
        const list = (columns.get(table) ?? []).map((name) => client.escapeIdentifier(name)).join(', ')
        return client.query(
          copyTo(
            `copy (select ${list} from ${client.escapeIdentifier(table)}) to stdout with (format text, header)`,
          ),
        )
      },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** Tables whose rows are kept: partitions are told by the table that they belong to. */
export async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all($1) order by 1`,
    [leftOut],
  )
  return rows.map(({ name }) => name)
}

/** In the order of their names: that of their making differs between databases that came to a schema by different ways. */
export async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_attribute a
     where a.attrelid = to_regclass(quote_ident($1)) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by 1`,
    [table],
  )
  return rows.map(({ name }) => name)
}
