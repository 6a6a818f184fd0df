import { sql } from 'kysely'
import type { Db } from '../database.ts'

export interface AttemptCount {
  /** Count of attempts, this one included. */
  readonly attempts: number
  /** End of the window. */
  readonly until: Date
}

/** Ended windows that one attempt deletes: more than one, so that the table shrinks. */
const deletedAtOnce = 10

/** Counts one attempt in a fixed window, for all processes together. */
export async function count(db: Db, key: string, window_ms: number, now: Date): Promise<AttemptCount> {
  const until = new Date(now.getTime() + window_ms)
  return db
    .with('ended', (query) =>
      query
        .deleteFrom('attempt_counts')
        .where('key', 'in', (eb) =>
          eb
            .selectFrom('attempt_counts')
            .select('key')
            .where('until', '<=', now)
            .where('key', '<>', key)
            .limit(deletedAtOnce)
            .forUpdate()
            .skipLocked(),
        ),
    )
    .insertInto('attempt_counts')
    .values({ key, attempts: 1, until })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        attempts: sql`case when attempt_counts.until <= ${now} then 1 else attempt_counts.attempts + 1 end`,
        until: sql`case when attempt_counts.until <= ${now} then excluded.until else attempt_counts.until end`,
      }),
    )
    .returning(['attempts', 'until'])
    .executeTakeFirstOrThrow()
}

/** Uncounts an attempt that turned out right. */
export async function giveBack(db: Db, keys: readonly string[]): Promise<void> {
  await db
    .updateTable('attempt_counts')
    .set({ attempts: sql`greatest(attempts - 1, 0)` })
    .where('key', 'in', keys)
    .execute()
}
