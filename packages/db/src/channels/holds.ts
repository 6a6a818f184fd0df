import type { Db } from '../database.ts'
import type { ChannelRow } from './channels.table.ts'

/** Takes the connection of a channel that has no live holder: its fence, or null. */
export async function hold(
  db: Db,
  channel_id: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<number | null> {
  const row = await db
    .updateTable('project_channels')
    .set((eb) => ({ fence: eb('fence', '+', 1), held_until: until }))
    .where('channel_id', '=', channel_id)
    .where('status', '<>', 'disconnected')
    .where((where) => where.or([where('held_until', 'is', null), where('held_until', '<=', now)]))
    .returning('fence')
    .executeTakeFirst()
  return row === undefined ? null : Number(row.fence)
}

/** Holds it longer; false where another took it, or it ended. */
export async function holdOn(
  db: Db,
  channel_id: string,
  fence: number,
  until: Date | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('project_channels')
    .set({ held_until: until })
    .where('channel_id', '=', channel_id)
    .where('fence', '=', fence)
    .where('status', '<>', 'disconnected')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Keeps the place up to which its holder took everything; false where another took it, or it ended. */
export async function keepCursor(
  db: Db,
  channel_id: string,
  fence: number,
  cursor: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('project_channels')
    .set({ cursor })
    .where('channel_id', '=', channel_id)
    .where('fence', '=', fence)
    .where('status', '<>', 'disconnected')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Channels whose connection stays open, and which no process holds. */
export async function unheld(db: Db, now: Date): Promise<ChannelRow[]> {
  return db
    .selectFrom('project_channels')
    .selectAll()
    .where('transport', 'in', ['socket', 'sync', 'imap'])
    .where('status', '<>', 'disconnected')
    .where((where) => where.or([where('held_until', 'is', null), where('held_until', '<=', now)]))
    .execute()
}
