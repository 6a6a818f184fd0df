import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import { notify } from '../kit/listen.ts'
import type { CatalogueError, CatalogueManifest, TriggerCatalogueRow } from './triggers.table.ts'

export async function find(db: Db, project_id: string): Promise<TriggerCatalogueRow | undefined> {
  return db
    .selectFrom('trigger_catalogues')
    .selectAll()
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}

/** Locked until the transaction ends. */
export async function lock(tx: Db, project_id: string): Promise<TriggerCatalogueRow | undefined> {
  return tx
    .selectFrom('trigger_catalogues')
    .selectAll()
    .where('project_id', '=', project_id)
    .forUpdate()
    .executeTakeFirst()
}

/** The default branch may have changed: a scheduler looks at it at once. Part of the transaction that it is given. */
export async function markChanged(db: Db, project_id: string, now: Date): Promise<void> {
  await db
    .insertInto('trigger_catalogues')
    .values({ project_id, tip_sha: null, source: null, check_at: now, checked_at: null })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ check_at: now }))
    .execute()
  await notify(db, 'triggers', { project_id })
}

/** Projects whose default branch is to be looked at; each is put off to `until`, so that others leave it alone. */
export async function claimDue(db: Db, now: Date, until: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    update trigger_catalogues set check_at = ${until} where project_id in (
      select project_id from trigger_catalogues where check_at <= ${now}
      order by check_at limit ${limit} for update skip locked)
    returning project_id`.execute(db)
  return rows.map((row) => row.project_id)
}

/** Gives a claim back, unless the project was told of meanwhile, and says so to the other schedulers. */
export async function release(db: Db, project_id: string, until: Date, now: Date): Promise<void> {
  await db
    .updateTable('trigger_catalogues')
    .set({ check_at: now })
    .where('project_id', '=', project_id)
    .where('check_at', '=', until)
    .execute()
  await notify(db, 'triggers', { project_id })
}

export async function nextCheck(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('trigger_catalogues')
    .select((eb) => eb.fn.min('check_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

export interface CheckedCatalogue {
  readonly project_id: string
  readonly tip_sha: string | null
  readonly source: string | null
  readonly errors: readonly CatalogueError[]
  readonly manifest: CatalogueManifest
  readonly checked_at: Date
  readonly check_at: Date
}

/** Writes what a check of the default branch found. */
export async function checked(db: Db, catalogue: CheckedCatalogue): Promise<void> {
  const { project_id, errors, manifest, ...columns } = catalogue
  const values = { ...columns, errors: jsonb(errors), manifest: jsonb(manifest), failures: 0 }
  await db
    .insertInto('trigger_catalogues')
    .values({ project_id, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
}

/** Puts the next check off, unless a change was announced meanwhile. */
export async function checkFailed(db: Db, project_id: string, now: Date, check_at: Date): Promise<void> {
  await db
    .updateTable('trigger_catalogues')
    .set((eb) => ({ check_at, failures: eb('failures', '+', 1) }))
    .where('project_id', '=', project_id)
    .where('check_at', '>', now)
    .execute()
}

/** True when this changed something. */
export async function setPaused(db: Db, project_id: string, paused: boolean, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('trigger_catalogues')
    .values({ project_id, tip_sha: null, source: null, paused, check_at: now, checked_at: null })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({ paused }).where('trigger_catalogues.paused', '<>', paused),
    )
    .returning('project_id')
    .executeTakeFirst()
  return row !== undefined
}

/** An archived project is looked at no more. */
export async function retire(db: Db, project_id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('project_triggers')
      .set({ next_fire_at: null, due_at: null })
      .where('project_id', '=', project_id)
      .execute()
    await tx.deleteFrom('trigger_catalogues').where('project_id', '=', project_id).execute()
  })
}
