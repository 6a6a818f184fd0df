import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../database.ts'
import { againIfLocked } from '../kit/lock-timeouts.ts'
import type { SchemaMigration } from './migration.ts'
import { holdingLockTimeout } from './lock-timeout.ts'

/** Rows of one transaction: those who want one of them meanwhile wait for no longer. */
const rowsAStep = 5_000

/** Moves data in steps. One that was killed leaves the steps that are done, and the next run goes on behind them. */
export async function runBackfill(
  db: Db,
  { name, backfill }: Pick<SchemaMigration, 'name' | 'backfill'>,
): Promise<void> {
  if (backfill === null) return
  await db
    .insertInto('schema_backfills')
    .values({ name, cursor: null, updated_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const step = (tries: number) => db.transaction().execute((tx) => runStep(tx, name, backfill, tries))
  while (!(await againIfLocked(step)));
}

/** True once nothing is left. */
async function runStep(tx: Db, name: string, statement: string, tries: number): Promise<boolean> {
  await sql`select set_config('lock_timeout', ${holdingLockTimeout(tries)}, true)`.execute(tx)
  const place = await tx
    .selectFrom('schema_backfills')
    .select(['cursor', 'done'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (place.done) return true
  const moved = CompiledQuery.raw(statement, [place.cursor, rowsAStep])
  const { rows } = await tx.executeQuery<{ cursor: string | null; rows: number | string }>(moved)
  const count = Number(rows[0]?.rows ?? 0)
  const done = count < rowsAStep
  await tx
    .updateTable('schema_backfills')
    .set(({ eb }) => ({
      cursor: rows[0]?.cursor ?? place.cursor,
      done,
      rows: eb('rows', '+', count),
      updated_at: new Date(),
    }))
    .where('name', '=', name)
    .execute()
  return done
}
