import type { Charge } from '@svc/app'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { AppInstanceRow, AppMonthRow } from './apps.table.ts'

export interface Settled {
  readonly month: string
  readonly before: number
  readonly after: number
}

/** Counts what an instance cost up to a moment, once: null when another did it meanwhile. */
export async function settle(
  tx: Db,
  { instance_id, app_id, metered_to }: Pick<AppInstanceRow, 'instance_id' | 'app_id' | 'metered_to'>,
  to: Date,
  charges: readonly Charge[],
): Promise<readonly Settled[] | null> {
  const { numUpdatedRows } = await tx
    .updateTable('app_instances')
    .set({ metered_to: to })
    .where('instance_id', '=', instance_id)
    .where('metered_to', '=', metered_to)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return null
  const settled: Settled[] = []
  for (const { month, seconds, cost_micros } of charges) {
    const { rows } = await sql<{ after: number }>`
      insert into app_months (app_id, month, seconds, cost_micros) values (${app_id}, ${month}::date, ${seconds}, ${cost_micros})
      on conflict (app_id, month) do update set seconds = app_months.seconds + excluded.seconds,
        cost_micros = app_months.cost_micros + excluded.cost_micros
      returning cost_micros as after`.execute(tx)
    const after = rows[0]?.after ?? cost_micros
    settled.push({ month, before: after - cost_micros, after })
  }
  return settled
}

/** The months of an app, the newest first. */
export async function list(db: Db, app_id: string, limit: number): Promise<Omit<AppMonthRow, 'app_id'>[]> {
  const { rows } = await sql<Omit<AppMonthRow, 'app_id'>>`
    select month::text, seconds, cost_micros, requests, bytes_out from app_months where app_id = ${app_id}
    order by app_months.month desc limit ${limit}`.execute(db)
  return rows
}

/** The money that apps spent in a month, by app. */
export async function spent(db: Db, app_ids: readonly string[], month: string): Promise<Map<string, number>> {
  if (app_ids.length === 0) return new Map()
  const { rows } = await sql<{
    app_id: string
    cost_micros: number
  }>`select app_id, cost_micros from app_months
    where app_id = any(${app_ids}::uuid[]) and month = ${month}::date`.execute(db)
  return new Map(rows.map(({ app_id, cost_micros }) => [app_id, cost_micros]))
}
