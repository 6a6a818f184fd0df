import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { AppMinuteTable } from './apps.table.ts'

const sums = (column: 'classes' | 'latency' | 'wake_latency') => sql`(
  select coalesce(array_agg(coalesce(one, 0) + coalesce(more, 0) order by n), '{}')
  from unnest(m.${sql.ref(column)}, excluded.${sql.ref(column)}) with ordinality as t (one, more, n))`

/** Adds what one proxy counted, to the minutes and to their months. */
export async function add(db: Db, minutes: readonly AppMinuteTable[]): Promise<void> {
  if (minutes.length === 0) return
  await sql`with given as (
      select g.* from jsonb_to_recordset(${jsonb(minutes)}::jsonb) as g (app_id uuid, minute timestamptz, classes integer[],
        latency integer[], wakes integer, wake_ms bigint, wake_latency integer[], bytes_out bigint)
      join apps a on a.app_id = g.app_id
    ), months as (
      insert into app_months as m (app_id, month, seconds, cost_micros, requests, bytes_out)
      select app_id, date_trunc('month', minute at time zone 'utc')::date, 0, 0,
        sum((select sum(one) from unnest(classes) one)), sum(bytes_out)
      from given group by 1, 2 order by 1, 2
      on conflict (app_id, month) do update set requests = m.requests + excluded.requests,
        bytes_out = m.bytes_out + excluded.bytes_out
    )
    insert into app_minutes as m (app_id, minute, classes, latency, wakes, wake_ms, wake_latency, bytes_out)
    select app_id, minute, classes, latency, wakes, wake_ms, wake_latency, bytes_out from given
    on conflict (app_id, minute) do update set classes = ${sums('classes')}, latency = ${sums('latency')},
      wakes = m.wakes + excluded.wakes, wake_ms = m.wake_ms + excluded.wake_ms, wake_latency = ${sums('wake_latency')},
      bytes_out = m.bytes_out + excluded.bytes_out`.execute(db)
}

export async function list(db: Db, app_id: string, since: Date): Promise<AppMinuteTable[]> {
  return db
    .selectFrom('app_minutes')
    .selectAll()
    .where('app_id', '=', app_id)
    .where('minute', '>=', since)
    .orderBy('minute')
    .execute()
}

export interface AppPartRow {
  readonly app_id: string
  /** Of the window, from 0 on. */
  readonly part: number
  /** Requests by class, from 1xx on. */
  readonly classes: readonly number[]
}

/** The requests of apps since then, in parts of so many milliseconds; a part without one is not there. */
export async function listParts(
  db: Db,
  app_ids: readonly string[],
  { since, part_ms, parts }: { readonly since: Date; readonly part_ms: number; readonly parts: number },
): Promise<AppPartRow[]> {
  if (app_ids.length === 0) return []
  const part = sql`least(${parts - 1}, floor(extract(epoch from minute - ${since}::timestamptz) * 1000 / ${part_ms}))::int`
  const classes = sql.join([1, 2, 3, 4, 5].map((n) => sql`sum(classes[${sql.lit(n)}])::int`))
  const { rows } = await sql<AppPartRow>`select app_id, ${part} as part, array[${classes}] as classes
    from app_minutes where app_id = any(${app_ids}::uuid[]) and minute >= ${since} group by 1, 2`.execute(db)
  return rows
}

/** Removes what is older, at most `limit`; how many there were. */
export async function removeBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from app_minutes where (app_id, minute) in (
    select app_id, minute from app_minutes where minute < ${before} order by minute limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
