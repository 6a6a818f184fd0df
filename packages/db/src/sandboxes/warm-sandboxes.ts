import { type WarmSandboxEvent, warmSandboxMachine } from '@svc/session'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import type {
  ReadyWarmSandbox,
  WarmSandboxChanges,
  WarmSandboxRow,
  WarmSandboxTable,
} from './warm-sandboxes.table.ts'

export interface PoolKey {
  readonly pool: string
  readonly recipe: string
}

/** Locks the pool's number until the transaction ends, so that several workers together do not overfill it. */
export async function lockPool(tx: Db, pool: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`warm-pool:${pool}`}, 0))`.execute(tx)
}

/** Number of sandboxes that wait or will. */
export async function count(db: Db, { pool, recipe }: PoolKey): Promise<number> {
  const { found } = await db
    .selectFrom('warm_sandboxes')
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .where('pool', '=', pool)
    .where('recipe', '=', recipe)
    .where('state', 'in', warmSandboxMachine.from('give_up'))
    .executeTakeFirstOrThrow()
  return found
}

export async function insert(db: Db, row: Insertable<WarmSandboxTable>): Promise<void> {
  await db.insertInto('warm_sandboxes').values(row).execute()
}

export async function find(db: Db, warm_id: string): Promise<WarmSandboxRow | undefined> {
  return db.selectFrom('warm_sandboxes').selectAll().where('warm_id', '=', warm_id).executeTakeFirst()
}

/** Applies `event` to those that accept it; the caller narrows them. */
function applied<Event extends WarmSandboxEvent>(
  db: Db,
  event: Event,
  change: WarmSandboxChanges[Event],
  now: Date,
) {
  return db
    .updateTable('warm_sandboxes')
    .set({ ...change, state: warmSandboxMachine.to(event), updated_at: now })
    .where('state', 'in', warmSandboxMachine.from(event))
}

/** False when it was given up meanwhile. */
export async function markReady(
  db: Db,
  warm_id: string,
  place: WarmSandboxChanges['wait'],
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await applied(db, 'wait', place, now)
    .where('warm_id', '=', warm_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives the oldest one that waits to the session, once and for ever; undefined when none waits. */
export async function claim(
  tx: Db,
  { pool, recipe }: PoolKey,
  { session_id, now }: { readonly session_id: string; readonly now: Date },
): Promise<ReadyWarmSandbox | undefined> {
  const row = await applied(tx, 'claim', { session_id }, now)
    .where('warm_id', '=', (eb) =>
      eb
        .selectFrom('warm_sandboxes')
        .select('warm_id')
        .where('pool', '=', pool)
        .where('recipe', '=', recipe)
        .where('state', 'in', warmSandboxMachine.from('claim'))
        .orderBy('created_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
  if (!row || row.external_id === null || row.endpoint === null) return undefined
  return { ...row, external_id: row.external_id, endpoint: row.endpoint }
}

/** The claim of this sandbox, as long as its daemon is not known to have heard of it. */
export async function findClaimed(
  db: Db,
  { session_id, external_id }: { readonly session_id: string; readonly external_id: string },
): Promise<WarmSandboxRow | undefined> {
  return db
    .selectFrom('warm_sandboxes')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('external_id', '=', external_id)
    .executeTakeFirst()
}

/** Deletes the row of a sandbox that is its session's from now on, or removed. */
export async function forget(db: Db, warm_id: string): Promise<void> {
  await db.deleteFrom('warm_sandboxes').where('warm_id', '=', warm_id).execute()
}

export async function listReady(db: Db, { pool, recipe }: PoolKey): Promise<WarmSandboxRow[]> {
  return db
    .selectFrom('warm_sandboxes')
    .selectAll()
    .where('pool', '=', pool)
    .where('recipe', '=', recipe)
    .where('state', '=', 'ready')
    .orderBy('created_at')
    .execute()
}

/** Withdraws sandboxes from the pool; one that a session has claimed meanwhile stays its own. */
export async function giveUp(db: Db, warm_ids: readonly string[], now: Date): Promise<void> {
  if (warm_ids.length === 0) return
  await applied(db, 'give_up', {}, now).where('warm_id', 'in', warm_ids).execute()
}

export interface OutwornQuery extends PoolKey {
  readonly now: Date
  /** Made before this: too old to be worth anything. */
  readonly made_before: Date
  /** Of another version, and made before this. */
  readonly other_before: Date
  /** Begun before this and not ready: the worker that began it is gone. */
  readonly begun_before: Date
}

export async function giveUpOutworn(db: Db, query: OutwornQuery): Promise<void> {
  await applied(db, 'give_up', {}, query.now)
    .where('pool', '=', query.pool)
    .where((eb) =>
      eb.or([
        eb('created_at', '<', query.made_before),
        eb.and([eb('recipe', '!=', query.recipe), eb('created_at', '<', query.other_before)]),
        eb.and([eb('state', '=', 'warming'), eb('updated_at', '<', query.begun_before)]),
      ]),
    )
    .execute()
}

export async function giveUpAll(db: Db, pool: string, now: Date): Promise<void> {
  await applied(db, 'give_up', {}, now).where('pool', '=', pool).execute()
}

export async function listGone(db: Db, pool: string): Promise<WarmSandboxRow[]> {
  return db
    .selectFrom('warm_sandboxes')
    .selectAll()
    .where('pool', '=', pool)
    .where('state', '=', 'gone')
    .execute()
}

/** Deletes claims whose session has another sandbox by now, or is deleted: its own record says what to remove. */
export async function forgetOvertaken(db: Db, pool: string): Promise<void> {
  await sql`
    delete from warm_sandboxes w using project_sessions s, session_sandboxes b
    where w.pool = ${pool} and w.state = 'claimed'
      and s.session_id = w.session_id and b.session_id = w.session_id
      and (s.deleted_at is not null or b.external_id is distinct from w.external_id)`.execute(db)
}
