import { type RolloutEvent, type RolloutKind, rolloutMachine } from '@svc/app'
import type { UpdateObject } from 'kysely'
import { sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import type { AppChannelRow, AppReleaseRow, AppRolloutRow, AppSwitchTable } from './apps.table.ts'

export type NewRollout = Omit<AppRolloutRow, 'status' | 'error' | 'switched_at' | 'finished_at'>

/** A move that was made with the release itself. */
export async function insertDone(tx: Db, rollout: NewRollout): Promise<void> {
  const at = rollout.created_at
  await tx
    .insertInto('app_rollouts')
    .values({ ...rollout, status: 'drained', error: null, switched_at: at, finished_at: at })
    .execute()
}

/** Undefined when another one of the channel is under way. */
export async function insert(tx: Db, rollout: NewRollout): Promise<AppRolloutRow | undefined> {
  return tx
    .insertInto('app_rollouts')
    .values({ ...rollout, status: 'pending', error: null, switched_at: null, finished_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function find(db: Db, rollout_id: string): Promise<AppRolloutRow | undefined> {
  return db.selectFrom('app_rollouts').selectAll().where('rollout_id', '=', rollout_id).executeTakeFirst()
}

export async function findOpen(db: Db, channel_id: string): Promise<AppRolloutRow | undefined> {
  return db
    .selectFrom('app_rollouts')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .where('status', 'in', rolloutMachine.from('fail'))
    .executeTakeFirst()
}

export async function listOwed(db: Db, quiet_since: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('app_rollouts')
    .select('rollout_id')
    .where('status', 'in', rolloutMachine.from('fail'))
    .where('created_at', '<', quiet_since)
    .limit(limit)
    .execute()
  return rows.map(({ rollout_id }) => rollout_id)
}

type Columns = Omit<UpdateObject<Database, 'app_rollouts'>, 'status'>

/** Applies `event` if the status accepts it; undefined means it did not. */
export async function apply(
  tx: Db,
  rollout_id: string,
  event: RolloutEvent,
  columns: Columns = {},
): Promise<AppRolloutRow | undefined> {
  return tx
    .updateTable('app_rollouts')
    .set({ ...columns, status: rolloutMachine.to(event) })
    .where('rollout_id', '=', rollout_id)
    .where('status', 'in', rolloutMachine.from(event))
    .returningAll()
    .executeTakeFirst()
}

export interface Switch {
  readonly channel: AppChannelRow
  readonly release: Pick<AppReleaseRow, 'release_id'>
  readonly kind: RolloutKind
  /** Releases up to it never take over by being ready. */
  readonly floor_number: number
  readonly asked_by: string | null
  readonly at: Date
}

/** Moves a channel, which the transaction holds locked, and writes it down. */
export async function switchChannel(tx: Db, move: Switch): Promise<void> {
  const { channel, release, kind, floor_number, asked_by, at } = move
  const { channel_id, current_release_id } = channel
  const seq = channel.seq + 1
  await tx
    .updateTable('app_channels')
    .set({ current_release_id: release.release_id, floor_number, seq })
    .where('channel_id', '=', channel_id)
    .execute()
  await tx
    .insertInto('app_switches')
    .values({
      ...{ channel_id, seq, kind, at, asked_by },
      from_release_id: current_release_id,
      to_release_id: release.release_id,
    })
    .execute()
}

/** The release that a channel showed before the one that it shows. */
export async function shownBefore(
  db: Db,
  channel_id: string,
): Promise<Pick<AppSwitchTable, 'from_release_id'> | undefined> {
  return db
    .selectFrom('app_switches')
    .select('from_release_id')
    .where('channel_id', '=', channel_id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export interface RolloutPage {
  readonly app_id: string
  readonly before?: { readonly created_at: Date; readonly rollout_id: string } | undefined
  readonly limit: number
}

/** Newest first, with the numbers of the releases. */
export async function list(db: Db, { app_id, before, limit }: RolloutPage) {
  let rows = db
    .selectFrom('app_rollouts')
    .innerJoin('app_releases as to', 'to.release_id', 'app_rollouts.to_release_id')
    .leftJoin('app_releases as from', 'from.release_id', 'app_rollouts.expected_release_id')
    .selectAll('app_rollouts')
    .select(['to.number as to_number', 'from.number as from_number'])
    .where('app_rollouts.app_id', '=', app_id)
  if (before !== undefined)
    rows = rows.where(
      sql<boolean>`(app_rollouts.created_at, rollout_id) < (${before.created_at}::timestamptz, ${before.rollout_id}::uuid)`,
    )
  return rows.orderBy('app_rollouts.created_at', 'desc').orderBy('rollout_id', 'desc').limit(limit).execute()
}
