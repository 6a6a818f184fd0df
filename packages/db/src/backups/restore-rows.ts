import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { backupMachine } from '@svc/access'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { columnsOf, tablesOf } from './snapshot.ts'

export interface RowsToRestore {
  readonly tables: readonly string[]
  readonly sequences: Readonly<Record<string, string>>
  /** The rows of a table, as `Snapshot.copy` gave them. */
  open(table: string): Promise<Readable>
  /** The backup that these are of: its own row was written while it ran. */
  readonly backup: { readonly backup_id: string; readonly bytes: number; readonly finished_at: Date }
  /** Told to those who come while the deployment is closed. */
  readonly message: string
}

/**
 * Puts the rows of a snapshot into a database that has its schema and none of its own, whole or not at all. It needs the
 * owner of the schema, since the triggers of tables are off meanwhile.
 */
export async function restoreRows(connection_string: string, rows: RowsToRestore): Promise<void> {
  const client = new pg.Client({ connectionString: connection_string, application_name: 'svc-restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    const tables = await tablesOf(client)
    const unknown = rows.tables.filter((table) => !tables.includes(table))
    if (unknown.length > 0) throw new Error(`The schema has no table ${unknown.join(', ')}`)
    const named = (table: string) => client.escapeIdentifier(table)
    for (const table of tables) await client.query(`alter table ${named(table)} disable trigger user`)
    await client.query(`truncate ${tables.map(named).join(', ')} cascade`)
    for (const table of await inOrder(client, rows.tables)) {
      const columns = (await columnsOf(client, table)).map(named).join(', ')
      const text = `copy ${named(table)} (${columns}) from stdin with (format text, header match)`
      await pipeline(await rows.open(table), client.query(copyFrom(text)))
      if (table === 'event_partitions') await remakePartitions(client)
    }
    for (const [name, value] of Object.entries(rows.sequences))
      await client.query('select setval(to_regclass(quote_ident($1)), $2::bigint)', [name, value])
    for (const table of tables) await client.query(`alter table ${named(table)} enable trigger user`)
    await close(client, rows)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** The restored deployment takes nothing until a person looked at it. */
async function close(client: pg.Client, { backup, message }: RowsToRestore): Promise<void> {
  await client.query(
    `update maintenance set mode = 'read_only', message = $1, until = null, changed_at = now()`,
    [message],
  )
  await client.query(
    `update backups set state = '${backupMachine.to('finish')}', bytes = $2, finished_at = $3
     where backup_id = $1 and state = any($4)`,
    [backup.backup_id, backup.bytes, backup.finished_at, backupMachine.from('finish')],
  )
}

/** The number of accounts and projects: a database without either has nothing that a person made. */
export async function countOwn(
  connection_string: string,
): Promise<{ readonly accounts: number; readonly projects: number }> {
  const client = new pg.Client({ connectionString: connection_string, application_name: 'svc-restore' })
  await client.connect()
  try {
    const { rows: found } = await client.query<{ there: boolean }>(
      `select to_regclass('projects') is not null as there`,
    )
    if (found[0]?.there !== true) return { accounts: 0, projects: 0 }
    const { rows } = await client.query<{ accounts: number; projects: number }>(
      'select (select count(*)::int from accounts) as accounts, (select count(*)::int from projects) as projects',
    )
    return rows[0] ?? { accounts: 0, projects: 0 }
  } finally {
    await client.end()
  }
}

/** Tables that others refer to come first; the months of events before the events. */
async function inOrder(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; needs: string }>(
    `select distinct c.conrelid::regclass::text as "table", c.confrelid::regclass::text as needs from pg_constraint c
     where c.contype = 'f' and c.conparentid = 0 and c.conrelid <> c.confrelid`,
  )
  const needs = [...rows, { table: 'session_events', needs: 'event_partitions' }]
  const left = new Set(tables)
  const ordered: string[] = []
  while (left.size > 0) {
    const ready = [...left].filter(
      (table) => !needs.some((one) => one.table === table && left.has(one.needs)),
    )
    if (ready.length === 0) throw new Error(`The tables ${[...left].join(', ')} refer to each other`)
    for (const table of ready) left.delete(table)
    ordered.push(...ready)
  }
  return ordered
}

/** The log of sessions has the months that its books name, not those of the day on which this schema was made. */
async function remakePartitions(client: pg.Client): Promise<void> {
  await client.query(`do $$
    declare
      one record;
    begin
      for one in select i.inhrelid::regclass as name from pg_inherits i
        where i.inhparent = 'session_events'::regclass and i.inhrelid::regclass::text <> 'session_events_default' loop
        execute format('drop table %s', one.name);
      end loop;
      for one in select name, from_at, to_at from event_partitions where state <> 'dropped' loop
        execute format('create table %I partition of session_events for values from (%s) to (%L)', one.name,
          case when one.from_at is null or one.from_at = '-infinity' then 'minvalue' else quote_literal(one.from_at) end,
          one.to_at);
      end loop;
    end $$`)
}
