import { sql } from 'kysely'
import type { Db } from '../database.ts'

export interface AttemptCount {
  /** Count of attempts, this one included. */
  readonly attempts: number
  /** End of the window. */
  readonly until: Date
}

/** Counts one attempt in a fixed window, beside the rate limits and like them for all processes together. */
export async function count(db: Db, key: string, window_ms: number, now: Date): Promise<AttemptCount> {
  const at = now.getTime()
  const { rows } = await sql<{ points: number; expire: number }>`
    insert into rate_limits (key, points, expire) values (${key}, 1, ${at + window_ms})
    on conflict (key) do update set
      points = case when rate_limits.expire <= ${at} then 1 else rate_limits.points + 1 end,
      expire = case when rate_limits.expire <= ${at} then ${at + window_ms} else rate_limits.expire end
    returning points, expire`.execute(db)
  const [row] = rows
  if (!row) throw new Error('An attempt was not counted')
  return { attempts: row.points, until: new Date(row.expire) }
}

/** Uncounts an attempt that turned out right. */
export async function giveBack(db: Db, keys: readonly string[]): Promise<void> {
  await sql`update rate_limits set points = greatest(points - 1, 0) where key in (${sql.join(keys)})`.execute(
    db,
  )
}
