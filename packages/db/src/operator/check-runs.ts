import type { CheckName, Finding } from '@svc/facts'
import { type CheckPartEvent, checkPartMachine } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { CheckPartRow, CheckRunRow } from './check-runs.table.ts'

export type PartKey = Pick<CheckPartRow, 'run_id' | 'queue'>

export async function insert(
  tx: Db,
  run: CheckRunRow,
  parts: readonly CheckPartRow['queue'][],
): Promise<void> {
  await tx.insertInto('check_runs').values(run).execute()
  const { run_id, started_at } = run
  const rows = parts.map((queue) => ({ run_id, queue, beat_at: started_at, finished_at: null }))
  if (rows.length > 0) await tx.insertInto('check_parts').values(rows).execute()
}

export async function find(
  db: Db,
  run_id: string,
): Promise<(CheckRunRow & { readonly parts: readonly CheckPartRow[] }) | undefined> {
  const run = await db.selectFrom('check_runs').selectAll().where('run_id', '=', run_id).executeTakeFirst()
  if (!run) return undefined
  const parts = await db
    .selectFrom('check_parts')
    .selectAll()
    .where('run_id', '=', run_id)
    .orderBy('queue')
    .execute()
  return { ...run, parts }
}

/** A sign of life of the worker; false once the part has ended. */
export async function beat(db: Db, { run_id, queue }: PartKey, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('check_parts')
    .set({ beat_at: now })
    .where('run_id', '=', run_id)
    .where('queue', '=', queue)
    .where('state', 'in', checkPartMachine.from('finish'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when another worker has ended it. */
export async function end(
  db: Db,
  { run_id, queue }: PartKey,
  { event, findings, now }: { event: CheckPartEvent; findings: readonly Finding[]; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('check_parts')
    .set({ state: checkPartMachine.to(event), findings: jsonb(findings), finished_at: now })
    .where('run_id', '=', run_id)
    .where('queue', '=', queue)
    .where('state', 'in', checkPartMachine.from(event))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Parts whose worker gave no sign of life since: by `check_parts_running`. */
export async function listLost(db: Db, before: Date, limit: number): Promise<PartKey[]> {
  return db
    .selectFrom('check_parts')
    .select(['run_id', 'queue'])
    .where('state', '=', 'running')
    .where('beat_at', '<', before)
    .orderBy('beat_at')
    .limit(limit)
    .execute()
}

/** When a run first found this, among those since; null for never. */
export async function firstFound(
  db: Db,
  finding: { readonly check: CheckName; readonly subject: string },
  since: Date,
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(r.started_at) as at from check_runs r join check_parts p using (run_id)
    where r.started_at >= ${since} and p.findings @> ${jsonb([finding])}::jsonb`.execute(db)
  return rows[0]?.at ?? null
}

/** Removes up to `limit` runs from before, with their parts. */
export async function removeOlder(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('check_runs')
    .where('run_id', 'in', (eb) =>
      eb
        .selectFrom('check_runs')
        .select('run_id')
        .where('started_at', '<', before)
        .orderBy('started_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
