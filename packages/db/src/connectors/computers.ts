import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import type { ComputerRow, ComputerTable } from './connectors.table.ts'

/** A computer that was not seen for so long is gone, and so is its executor. */
export const goneAfterMs = 60_000

interface Held {
  readonly connection_id: string
  /** The executor that has the WebSocket. */
  readonly holder: string
}

/** Writes down which executor has the WebSocket of a computer now. */
export async function hold(db: Db, row: Insertable<ComputerTable>): Promise<void> {
  const { holder, address, name, connected_at, seen_at } = row
  await db
    .insertInto('connector_computers')
    .values(row)
    .onConflict((same) =>
      same.column('connection_id').doUpdateSet({ holder, address, name, connected_at, seen_at }),
    )
    .execute()
}

/** Notes that these are there still; the ones that are, which leaves out what another executor took or a person removed. */
export async function touch(
  db: Db,
  holder: string,
  connection_ids: readonly string[],
  now: Date,
): Promise<string[]> {
  if (connection_ids.length === 0) return []
  const rows = await db
    .updateTable('connector_computers')
    .from('connector_connections as of')
    .set({ seen_at: now })
    .whereRef('of.connection_id', '=', 'connector_computers.connection_id')
    .where('of.status', '=', 'active')
    .where('holder', '=', holder)
    .where('connector_computers.connection_id', 'in', connection_ids)
    .returning('connector_computers.connection_id')
    .execute()
  return rows.map(({ connection_id }) => connection_id)
}

/** The WebSocket ended, unless another executor has one by now. */
export async function release(db: Db, { connection_id, holder }: Held): Promise<void> {
  await db
    .deleteFrom('connector_computers')
    .where('connection_id', '=', connection_id)
    .where('holder', '=', holder)
    .execute()
}

/** Those of these connections whose computer is there, by connection. */
export async function findPresent(
  db: Db,
  connection_ids: readonly string[],
  now: Date,
): Promise<Map<string, ComputerRow>> {
  if (connection_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('connector_computers')
    .selectAll()
    .where('connection_id', 'in', connection_ids)
    .where('seen_at', '>', new Date(now.getTime() - goneAfterMs))
    .execute()
  return new Map(rows.map((row) => [row.connection_id, row]))
}
