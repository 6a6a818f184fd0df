import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { AppReleaseRow } from './apps.table.ts'
import { begin } from './releases.ts'

/** Begins the work on a release that is built, unless its account has so many builds by now: undefined then, and where it is over. */
export async function beginInTurn(
  db: Db,
  { release_id, account_id }: { readonly release_id: string; readonly account_id: string },
  max: number,
  now: Date,
): Promise<AppReleaseRow | undefined> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`app-builds:${account_id}`}, 0))`.execute(tx)
    const running = await countRunning(tx, account_id, release_id)
    return running < max ? begin(tx, release_id, now) : undefined
  })
}

/** Builds of an account that run now, beside this one. */
async function countRunning(tx: Db, account_id: string, release_id: string): Promise<number> {
  const { rows } = await sql<{ running: number }>`select count(*)::integer as running from app_releases r
    join apps a on a.app_id = r.app_id
    where (r.status in ('validating', 'building') or (r.status = 'queued' and r.started_at is not null))
      and (r.config ? 'build' or r.config ? 'image') and a.account_id = ${account_id}
      and r.release_id <> ${release_id}`.execute(tx)
  return rows[0]?.running ?? 0
}

export async function keepSandbox(db: Db, release_id: string, build_sandbox: string): Promise<void> {
  await db.updateTable('app_releases').set({ build_sandbox }).where('release_id', '=', release_id).execute()
}
