import { openReleases } from '@svc/app'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { unname } from './app-objects.ts'

export interface KeptReleases {
  /** Releases that ended since are kept, whatever became of them. */
  readonly since: Date
  /** Of each channel, the last ones that were ready. */
  readonly ready: number
}

/**
 * Releases that are kept no more: of a channel that is open neither the current one, the newest, one that an address is
 * about to be led to, nor one of the last that were ready; of a closed channel all.
 */
const past = ({ since, ready }: KeptReleases) => sql`
  r.finished_at < ${since} and not exists (select from app_rollouts o
    where o.to_release_id = r.release_id and o.status in ('pending', 'starting'))
  and (c.closed_at is not null or (
    r.release_id is distinct from c.current_release_id
    and r.number < (select max(n.number) from app_releases n where n.channel_id = r.channel_id)
    and (r.status <> 'ready' or r.number < (select k.number from app_releases k
      where k.channel_id = r.channel_id and k.status = 'ready' order by k.number desc offset ${ready - 1} limit 1))))`

export async function list(db: Db, kept: KeptReleases, limit: number): Promise<string[]> {
  const { rows } = await sql<{ release_id: string }>`
    select r.release_id from app_releases r join app_channels c using (channel_id)
    where ${past(kept)} order by r.finished_at limit ${limit}`.execute(db)
  return rows.map(({ release_id }) => release_id)
}

/** Removes a release that is kept no more, with its files, its log and its moves; false when it is wanted by now. */
export async function remove(tx: Db, release_id: string, kept: KeptReleases, now: Date): Promise<boolean> {
  // A move to it holds the row until it is written down.
  await tx
    .selectFrom('app_releases')
    .select('release_id')
    .where('release_id', '=', release_id)
    .forUpdate()
    .execute()
  const { rows } = await sql`select from app_releases r join app_channels c using (channel_id)
    where r.release_id = ${release_id} and ${past(kept)}`.execute(tx)
  if (rows.length === 0) return false
  const digests = await digestsOf(tx, sql`release_id = ${release_id}`)
  await tx.deleteFrom('app_releases').where('release_id', '=', release_id).execute()
  await unname(tx, digests, now)
  return true
}

/** Apps whose entry is gone since before then, and that no change request shows. */
export async function listForgotten(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ app_id: string }>`
    select app_id from apps a where ${forgotten(before)} order by updated_at limit ${limit}`.execute(db)
  return rows.map(({ app_id }) => app_id)
}

const forgotten = (before: Date) => sql`
  not a.declared and a.updated_at < ${before}
  and not exists (select from app_channels c where c.app_id = a.app_id and c.kind = 'preview' and c.closed_at is null)
  and not exists (select from app_releases r where r.app_id = a.app_id and r.status = any(${openReleases}::text[]))`

/** Removes an app that is forgotten, with everything of it; false when it is declared again. */
export async function removeApp(tx: Db, app_id: string, before: Date, now: Date): Promise<boolean> {
  await tx.selectFrom('apps').select('app_id').where('app_id', '=', app_id).forUpdate().execute()
  const { rows } = await sql`select from apps a where a.app_id = ${app_id} and ${forgotten(before)}`.execute(
    tx,
  )
  if (rows.length === 0) return false
  const digests = await digestsOf(
    tx,
    sql`release_id in (select release_id from app_releases where app_id = ${app_id})`,
  )
  await tx.deleteFrom('apps').where('app_id', '=', app_id).execute()
  await unname(tx, digests, now)
  return true
}

async function digestsOf(tx: Db, which: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    select distinct d.digest from app_release_files f,
      lateral (values (f.sha256), (f.br_sha256), (f.gzip_sha256)) as d (digest)
    where ${which} and d.digest is not null
    union select artifact ->> 'digest' from app_releases where ${which} and artifact ->> 'kind' = 'archive'`.execute(
    tx,
  )
  return rows.map(({ digest }) => digest)
}
