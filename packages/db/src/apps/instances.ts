import { instanceMachine, type InstanceEvent, liveInstances, ownedInstances } from '@svc/app'
import type { UpdateObject } from 'kysely'
import { sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { notify } from '../kit/listen.ts'
import type { AppInstanceRow, AppReleaseRow } from './apps.table.ts'
import { unpaid } from './billing.ts'

export interface WantedInstance {
  readonly instance_id: string
  readonly release: Pick<AppReleaseRow, 'release_id' | 'app_id' | 'project_id' | 'provider'>
  readonly account_id: string
  readonly now: Date
}

/** The live instance of a release: this one, unless it has one by now. A worker is notified of a new one. */
export async function want(tx: Db, wanted: WantedInstance): Promise<AppInstanceRow | undefined> {
  const { instance_id, release, account_id, now } = wanted
  const { release_id, app_id, project_id, provider } = release
  const made = await tx
    .insertInto('app_instances')
    .values({
      ...{ instance_id, release_id, app_id, account_id, project_id, provider, state: 'starting' },
      ...{ restarts: 0, last_line: 0, created_at: now, updated_at: now },
    })
    .onConflict((conflict) =>
      conflict
        .column('release_id')
        .where('state', 'in', sql<never>`('starting', 'healthy')`)
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (made === undefined) return findLive(tx, release_id)
  await notify(tx, 'app_wake', { release_id })
  return made
}

export async function findLive(db: Db, release_id: string): Promise<AppInstanceRow | undefined> {
  return db
    .selectFrom('app_instances')
    .selectAll()
    .where('release_id', '=', release_id)
    .where('state', 'in', liveInstances)
    .executeTakeFirst()
}

export async function find(db: Db, instance_id: string): Promise<AppInstanceRow | undefined> {
  return db.selectFrom('app_instances').selectAll().where('instance_id', '=', instance_id).executeTakeFirst()
}

type Columns = Omit<UpdateObject<Database, 'app_instances'>, 'state' | 'updated_at'>

/** Applies `event` if the state accepts it, and notifies those who look; undefined means it did not. */
export async function apply(
  tx: Db,
  instance_id: string,
  event: InstanceEvent,
  now: Date,
  columns: Columns = {},
): Promise<AppInstanceRow | undefined> {
  const row = await tx
    .updateTable('app_instances')
    .set({ ...columns, state: instanceMachine.to(event), updated_at: now })
    .where('instance_id', '=', instance_id)
    .where('state', 'in', instanceMachine.from(event))
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined) await notify(tx, 'apps', { project_id: row.project_id })
  return row
}

/** Keeps facts of an instance that is not over. */
export async function keep(db: Db, instance_id: string, now: Date, columns: Columns): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('app_instances')
    .set({ ...columns, updated_at: now })
    .where('instance_id', '=', instance_id)
    .where('state', 'in', ownedInstances)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Every instance that is not over. */
export async function listOwned(db: Db, limit: number): Promise<AppInstanceRow[]> {
  return db
    .selectFrom('app_instances')
    .selectAll()
    .where('state', 'in', ownedInstances)
    .orderBy('updated_at')
    .limit(limit)
    .execute()
}

/** The sandboxes that rows name: of instances that are not over, and of releases that are made. */
export async function ownedSandboxes(db: Db) {
  const { rows } = await sql<{ sandbox_id: string; external_id: string | null }>`
    select instance_id as sandbox_id, external_id from app_instances where state in ('starting', 'healthy', 'draining')
    union all select release_id, build_sandbox from app_releases
    where status in ('queued', 'validating', 'building', 'provisioning', 'checking')`.execute(db)
  return rows
}

/** The newest instance of each of these releases, however it is. */
export async function newestOf(db: Db, release_ids: readonly string[]): Promise<AppInstanceRow[]> {
  if (release_ids.length === 0) return []
  const { rows } = await sql<AppInstanceRow>`select distinct on (release_id) * from app_instances
    where release_id = any(${release_ids}::uuid[]) order by release_id, created_at desc`.execute(db)
  return rows
}

/** Instances by their state. */
export async function countStates(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('app_instances')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', ownedInstances)
    .groupBy('state')
    .execute()
  return new Map(rows.map(({ state, count }) => [state, count]))
}

/** Remembers that visitors came, for instances that may sleep when none do. */
export async function sawRequests(db: Db, instance_ids: readonly string[], at: Date): Promise<void> {
  if (instance_ids.length === 0) return
  await db
    .updateTable('app_instances')
    .set({ last_request_at: at })
    .where('instance_id', 'in', instance_ids)
    .where('state', 'in', liveInstances)
    .execute()
}

/** True when this sends it to sleep: no visitor came since the caller looked. */
export async function sleep(tx: Db, instance: AppInstanceRow, now: Date): Promise<boolean> {
  const { instance_id, last_request_at, project_id } = instance
  const { rows } = await sql`update app_instances
    set state = ${instanceMachine.to('drain')}, draining_at = ${now}, updated_at = ${now}, reason = 'idle'
    where instance_id = ${instance_id} and state = 'healthy' and last_request_at is not distinct from ${last_request_at}
    returning instance_id`.execute(tx)
  if (rows.length === 0) return false
  await notify(tx, 'apps', { project_id })
  return true
}

/**
 * True where a release may run: it is made or moved to at this moment, or shown by the address of an app that serves, whose
 * project may have apps, whose cap is not reached and whose account pays.
 */
const wanted = (now: Date) => sql`
  exists (select from app_releases r
    join app_channels c on c.channel_id = r.channel_id and c.closed_at is null
    join apps a on a.app_id = r.app_id and (a.declared or c.kind = 'preview')
    join projects p on p.project_id = a.project_id and p.status = 'active'
    join accounts o on o.account_id = a.account_id and o.suspended_at is null
    left join change_requests cr on cr.cr_id = c.cr_id
    left join project_features pf on pf.project_id = a.project_id and pf.feature = 'apps'
    left join account_features af on af.account_id = a.account_id and af.feature = 'apps'
    left join platform_features lf on lf.feature = 'apps'
    where r.release_id = i.release_id and (c.cr_id is null or cr.status = 'open')
      and coalesce(lf.available, true) and coalesce(pf.enabled, af.enabled, lf.enabled_by_default, false)
      and (r.status in ('provisioning', 'checking')
        or (a.desired = 'serving' and c.current_release_id = r.release_id)
        or exists (select from app_rollouts w where w.to_release_id = r.release_id and w.status = 'starting'))
      and ${isWithinCap(now)} and ${unpaid(now)} is null)`

/** Whether an app `a` may spend more in this month. */
const isWithinCap = (now: Date) => sql`coalesce(
  coalesce((select m.cost_micros from app_months m where m.app_id = a.app_id
    and m.month = date_trunc('month', ${now}::timestamptz at time zone 'utc')::date), 0)
  < coalesce(a.budget_micros, (select (rules ->> 'budget_micros')::bigint from app_platform)), true)`

/** Sends live instances away that are not wanted any more; those that were. */
export async function drainUnwanted(db: Db, now: Date, limit: number): Promise<AppInstanceRow[]> {
  const { rows } = await sql<AppInstanceRow>`update app_instances
    set state = ${instanceMachine.to('drain')}, draining_at = ${now}, updated_at = ${now}, reason = 'not wanted'
    where instance_id in (select i.instance_id from app_instances i
      where i.state in ('starting', 'healthy') and not ${wanted(now)} order by i.updated_at limit ${limit})
      and state in ('starting', 'healthy')
    returning *`.execute(db)
  for (const { project_id } of rows) await notify(db, 'apps', { project_id })
  return rows
}

export async function isWanted(db: Db, instance_id: string, now: Date): Promise<boolean> {
  const { rows } =
    await sql`select from app_instances i where i.instance_id = ${instance_id} and ${wanted(now)}`.execute(db)
  return rows.length > 0
}

/** A sign of life of one that starts; false once it does not any more. */
export async function keepStarting(db: Db, instance_id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('app_instances')
    .set({ seen_at: now, updated_at: now })
    .where('instance_id', '=', instance_id)
    .where('state', '=', 'starting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** True when this takes the lines up to a number into the log: another may have. */
export async function tookLines(
  tx: Db,
  instance_id: string,
  after: number,
  last_line: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('app_instances')
    .set({ last_line })
    .where('instance_id', '=', instance_id)
    .where('last_line', '=', after)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The images of releases that are kept, by the names that they are run by. */
export async function keptImages(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    image: string
  }>`select distinct artifact ->> 'image' as image from app_releases
    where artifact ->> 'kind' = 'image'`.execute(db)
  return rows.map(({ image }) => image)
}
