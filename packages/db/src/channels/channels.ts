import { channelMachine, type RefusalReason } from '@svc/channel'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../database.ts'
import type { ChannelRow, ChannelTable } from './channels.table.ts'

export interface ChannelKey {
  readonly project_id: string
  readonly slug: string
}

/** The channels of a project that no person disconnected, by their slugs. */
export async function list(db: Db, project_id: string): Promise<ChannelRow[]> {
  return db
    .selectFrom('project_channels')
    .selectAll()
    .where('project_id', '=', project_id)
    .where((where) =>
      where.or([where('disconnected_reason', 'is', null), where('disconnected_reason', '<>', 'user')]),
    )
    .orderBy('slug')
    .execute()
}

export async function find(db: Db, { project_id, slug }: ChannelKey): Promise<ChannelRow | undefined> {
  return db
    .selectFrom('project_channels')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

export async function findById(db: Db, channel_id: string): Promise<ChannelRow | undefined> {
  return db.selectFrom('project_channels').selectAll().where('channel_id', '=', channel_id).executeTakeFirst()
}

/** A channel as those know it who put messages into its outbox and hold none of its keys. */
export type ChannelOutlet = Pick<
  ChannelRow,
  'channel_id' | 'account_id' | 'project_id' | 'slug' | 'status' | 'conversations'
>

export async function findOutlet(
  db: Db,
  { project_id, slug }: ChannelKey,
): Promise<ChannelOutlet | undefined> {
  return db
    .selectFrom('project_channels')
    .select(['channel_id', 'account_id', 'project_id', 'slug', 'status', 'conversations'])
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

/** Locked until the transaction ends. */
export async function lock(tx: Db, channel_id: string): Promise<ChannelRow | undefined> {
  return tx
    .selectFrom('project_channels')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .forUpdate()
    .executeTakeFirst()
}

/** The number that an account has which are not disconnected. */
export async function count(db: Db, account_id: string): Promise<number> {
  const { n } = await db
    .selectFrom('project_channels')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('account_id', '=', account_id)
    .where('status', '<>', 'disconnected')
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The row; undefined where a channel that is not disconnected has the slug. One that is comes back with its threads. */
export async function connect(tx: Db, row: Insertable<ChannelTable>): Promise<ChannelRow | undefined> {
  const { channel_id: _, project_id, slug, created_at: __, ...fields } = row
  return (
    (await tx
      .updateTable('project_channels')
      .set({ ...fields, last_error: null, failures: 0, blocked_until: null })
      .where('project_id', '=', project_id)
      .where('slug', '=', slug)
      .where('status', '=', 'disconnected')
      // A thread is one of its platform.
      .where('platform', '=', row.platform)
      .returningAll()
      .executeTakeFirst()) ??
    (await tx
      .insertInto('project_channels')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doNothing())
      .returningAll()
      .executeTakeFirst())
  )
}

export type ChannelChanges = Pick<
  Updateable<ChannelTable>,
  | 'name'
  | 'agent'
  | 'policy'
  | 'thread_replies'
  | 'conversations'
  | 'sealed_credentials'
  | 'identity'
  | 'transport'
>

export async function update(
  tx: Db,
  channel_id: string,
  changes: ChannelChanges,
  now: Date,
): Promise<ChannelRow> {
  return tx
    .updateTable('project_channels')
    .set({
      ...changes,
      updated_at: now,
      // A connection that was opened with the earlier ones is left.
      ...(changes.sealed_credentials === undefined ? {} : { fence: sql`fence + 1`, held_until: null }),
    })
    .where('channel_id', '=', channel_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Ends it and destroys its credentials; undefined where it was disconnected, or got others than those that were `refused`.
 */
export async function disconnect(
  db: Db,
  channel_id: string,
  {
    reason,
    refused,
    error,
    now,
  }: {
    readonly reason: 'user' | RefusalReason
    /** As they are sealed. */
    readonly refused?: string | null
    readonly error?: string
    readonly now: Date
  },
): Promise<ChannelRow | undefined> {
  return db
    .updateTable('project_channels')
    .set({
      status: channelMachine.to('disconnect'),
      ...{ sealed_credentials: null, disconnected_reason: reason, held_until: null, updated_at: now },
      ...(error === undefined ? {} : { last_error: error }),
    })
    .where('channel_id', '=', channel_id)
    .where('status', 'in', channelMachine.from('disconnect'))
    .$if(refused !== undefined, (rows) => rows.where('sealed_credentials', '=', refused ?? ''))
    .returningAll()
    .executeTakeFirst()
}

/** Those of an account on a platform, in whichever project. */
export async function idsOfAccount(
  db: Db,
  { account_id, platform }: Pick<ChannelRow, 'account_id' | 'platform'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('project_channels')
    .select('channel_id')
    .where('account_id', '=', account_id)
    .where('platform', '=', platform)
    .execute()
  return rows.map(({ channel_id }) => channel_id)
}

/** One that ended by itself is listed no more. */
export async function putAway(db: Db, channel_id: string): Promise<void> {
  await db
    .updateTable('project_channels')
    .set({ disconnected_reason: 'user' })
    .where('channel_id', '=', channel_id)
    .where('status', '=', 'disconnected')
    .execute()
}

/** Notes a failure; a channel with so many in a row is degraded. */
export async function noteFailure(
  db: Db,
  channel_id: string,
  { error, limit, now }: { readonly error: string; readonly limit: number; readonly now: Date },
): Promise<void> {
  await db
    .updateTable('project_channels')
    .set({
      failures: sql`failures + 1`,
      last_error: error,
      status: sql`case when status = 'connected' and failures + 1 >= ${limit} then 'degraded' else status end`,
      updated_at: now,
    })
    .where('channel_id', '=', channel_id)
    .execute()
}

/** Notes that the platform answers. */
export async function noteSuccess(db: Db, channel_id: string, now: Date): Promise<void> {
  await db
    .updateTable('project_channels')
    .set({
      failures: 0,
      last_error: null,
      status: sql`case when status = 'disconnected' then status else ${channelMachine.to('connect')} end`,
      updated_at: now,
    })
    .where('channel_id', '=', channel_id)
    .where((where) =>
      where.or([where('failures', '>', 0), where('status', 'in', channelMachine.from('connect'))]),
    )
    .where('status', '<>', 'disconnected')
    .execute()
}

/** Nothing is sent before then; a longer pause stays. */
export async function block(db: Db, channel_id: string, until: Date): Promise<void> {
  await db
    .updateTable('project_channels')
    .set({ blocked_until: until })
    .where('channel_id', '=', channel_id)
    .where((where) => where.or([where('blocked_until', 'is', null), where('blocked_until', '<', until)]))
    .execute()
}

/** Once a minute: a flood writes the row no more often. */
export async function noteReceived(db: Db, channel_id: string, now: Date): Promise<void> {
  await db
    .updateTable('project_channels')
    .set({ last_received_at: now })
    .where('channel_id', '=', channel_id)
    .where((where) =>
      where.or([
        where('last_received_at', 'is', null),
        where('last_received_at', '<', new Date(now.getTime() - 60_000)),
      ]),
    )
    .execute()
}

export { hold, holdOn, keepCursor, unheld } from './holds.ts'
