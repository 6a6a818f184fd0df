import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'

/** True where a release names the digest, as its archive, its file or a form of it: each is an index. */
const isNamed = (digest: RawBuilder<unknown>) => sql`(
  exists (select from app_release_files where sha256 = ${digest})
  or exists (select from app_release_files where br_sha256 = ${digest})
  or exists (select from app_release_files where gzip_sha256 = ${digest})
  or exists (select from app_releases where artifact ->> 'kind' = 'archive' and artifact ->> 'digest' = ${digest}))`

/**
 * Says that an object is about to be put, or found, for a release that does not name it yet: it is not removed while that is
 * made. Waits for a removal of it that is under way.
 */
export async function claim(db: Db, sha256: string, now: Date): Promise<void> {
  await db
    .insertInto('app_unnamed_objects')
    .values({ sha256, since: now })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ since: now }))
    .execute()
}

/** Says that a release names these objects by now. */
export async function name(tx: Db, digests: readonly string[]): Promise<void> {
  await sql`delete from app_unnamed_objects where sha256 = any(${digests}::text[])`.execute(tx)
}

/** Objects that no release named since before then. */
export async function listUnnamed(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('app_unnamed_objects')
    .select('sha256')
    .where('since', '<', before)
    .orderBy('since')
    .limit(limit)
    .execute()
  return rows.map(({ sha256 }) => sha256)
}

/**
 * Holds an object that no release named since before then, so that none that is made finds it meanwhile; false where one
 * names it, or was about to. The caller removes the object before the transaction ends.
 */
export async function takeUnnamed(tx: Db, sha256: string, before: Date): Promise<boolean> {
  const held = await tx
    .deleteFrom('app_unnamed_objects')
    .where('sha256', '=', sha256)
    .where('since', '<', before)
    .executeTakeFirst()
  if (held.numDeletedRows === 0n) return false
  const { rows } = await sql<{ named: boolean }>`select ${isNamed(sql`${sha256}::text`)} as named`.execute(tx)
  return rows[0]?.named === false
}

/** Says that releases which named these objects went: those that none names any more are removed some time from now. */
export async function unname(tx: Db, digests: readonly string[], now: Date): Promise<void> {
  await sql`insert into app_unnamed_objects (sha256, since)
    select d, ${now} from unnest(${digests}::text[]) as d where not ${isNamed(sql`d`)}
    on conflict (sha256) do update set since = excluded.since`.execute(tx)
}
