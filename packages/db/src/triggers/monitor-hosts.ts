import { sql, type Updateable } from 'kysely'
import type { Db } from '../database.ts'
import type { MonitorHostRow, MonitorHostTable } from './monitors.table.ts'

/** A project's monitors, held with this fence. */
export type HeldHost = Pick<MonitorHostRow, 'project_id' | 'fence'>

/** Another scheduler looks after these monitors now: whatever is still to be written for them is of no use. */
export class StaleHost extends Error {
  override readonly name = 'StaleHost'
}

/** Gives each active project with enabled monitors its row. */
export async function insertWanted(db: Db): Promise<void> {
  await sql`
    insert into monitor_hosts (project_id)
    select distinct t.project_id from project_triggers t
    join projects p on p.project_id = t.project_id and p.status = 'active'
    join accounts a on a.account_id = p.account_id and a.suspended_at is null
    left join trigger_catalogues c on c.project_id = t.project_id
    where t.type = 'monitor' and t.enabled and not coalesce(c.paused, false)
      and not exists (select 1 from monitor_hosts h where h.project_id = t.project_id)
    on conflict do nothing`.execute(db)
}

/** Takes up to `limit` rows that no scheduler holds, the longest abandoned first. */
export async function claim(db: Db, ttl_ms: number, limit: number): Promise<HeldHost[]> {
  const { rows } = await sql<HeldHost>`
    update monitor_hosts set fence = fence + 1, held_until = ${until(ttl_ms)}
    where project_id in (
      select project_id from monitor_hosts where held_until is null or held_until < clock_timestamp()
      order by held_until nulls first limit ${limit} for update skip locked)
    returning project_id, fence`.execute(db)
  return rows
}

/** The projects that are still held. */
export async function renew(db: Db, held: readonly HeldHost[], ttl_ms: number): Promise<string[]> {
  if (held.length === 0) return []
  const { rows } = await sql<{ project_id: string }>`
    update monitor_hosts h set held_until = ${until(ttl_ms)}
    from unnest(${held.map((one) => one.project_id)}::uuid[], ${held.map((one) => one.fence)}::bigint[])
      as mine (project_id, fence)
    where h.project_id = mine.project_id and h.fence = mine.fence
    returning h.project_id`.execute(db)
  return rows.map((row) => row.project_id)
}

/** Lets go, so that another scheduler may begin at once. */
export async function release(db: Db, { project_id, fence }: HeldHost): Promise<void> {
  await db
    .updateTable('monitor_hosts')
    .set({ held_until: null })
    .where('project_id', '=', project_id)
    .where('fence', '=', fence)
    .execute()
}

const until = (ttl_ms: number) =>
  sql`clock_timestamp() + make_interval(secs => ${ttl_ms / 1000}::double precision)`

/** Throws `StaleHost` once another scheduler has claimed it; until the transaction ends no other scheduler can. */
export async function hold(tx: Db, { project_id, fence }: HeldHost): Promise<MonitorHostRow> {
  const row = await tx
    .selectFrom('monitor_hosts')
    .selectAll()
    .where('project_id', '=', project_id)
    .forKeyShare()
    .executeTakeFirst()
  if (row?.fence !== fence) throw new StaleHost('Another scheduler looks after these monitors')
  return row
}

export async function patch(
  tx: Db,
  { project_id, fence }: HeldHost,
  values: Updateable<MonitorHostTable>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('monitor_hosts')
    .set(values)
    .where('project_id', '=', project_id)
    .where('fence', '=', fence)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new StaleHost('Another scheduler looks after these monitors')
}

export async function remove(tx: Db, { project_id, fence }: HeldHost): Promise<void> {
  await tx
    .deleteFrom('monitor_hosts')
    .where('project_id', '=', project_id)
    .where('fence', '=', fence)
    .execute()
}
