import { openReleases, releaseMachine, type ReleaseEvent, type ReleaseStatus } from '@svc/app'
import type { UpdateObject } from 'kysely'
import { sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { AppReleaseFileRow, AppReleaseRow } from './apps.table.ts'

export type NewRelease = Omit<
  AppReleaseRow,
  | 'number'
  | 'status'
  | 'artifact'
  | 'superseded_by'
  | 'attempts'
  | 'build_sandbox'
  | 'started_at'
  | 'finished_at'
  | 'updated_at'
>

/** A release under the next number of its app: queued, or failed at once. */
export async function insert(
  tx: Db,
  { config, issues, failure, ...row }: NewRelease,
): Promise<AppReleaseRow> {
  const { last_number: number } = await tx
    .updateTable('apps')
    .set((eb) => ({ last_number: eb('last_number', '+', 1) }))
    .where('app_id', '=', row.app_id)
    .returning('last_number')
    .executeTakeFirstOrThrow()
  return tx
    .insertInto('app_releases')
    .values({
      ...row,
      number,
      config: jsonb(config),
      issues: jsonb(issues),
      status: failure === null ? 'queued' : 'failed',
      failure: failure === null ? null : jsonb(failure),
      artifact: null,
      superseded_by: null,
      attempts: 0,
      build_sandbox: null,
      started_at: null,
      finished_at: failure === null ? null : row.created_at,
      updated_at: row.created_at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function find(db: Db, release_id: string): Promise<AppReleaseRow | undefined> {
  return db.selectFrom('app_releases').selectAll().where('release_id', '=', release_id).executeTakeFirst()
}

export async function findNumber(db: Db, app_id: string, number: number): Promise<AppReleaseRow | undefined> {
  return db
    .selectFrom('app_releases')
    .selectAll()
    .where('app_id', '=', app_id)
    .where('number', '=', number)
    .executeTakeFirst()
}

export async function findKey(
  db: Db,
  app_id: string,
  idempotency_key: string,
): Promise<AppReleaseRow | undefined> {
  return db
    .selectFrom('app_releases')
    .selectAll()
    .where('app_id', '=', app_id)
    .where('idempotency_key', '=', idempotency_key)
    .executeTakeFirst()
}

/** The newest of a channel, however it ended. */
export async function newest(db: Db, channel_id: string): Promise<AppReleaseRow | undefined> {
  return db
    .selectFrom('app_releases')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest of a channel that was not cancelled: what was asked for last, and is not to be made anew. */
export async function newestAsked(db: Db, channel_id: string): Promise<AppReleaseRow | undefined> {
  return db
    .selectFrom('app_releases')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .where('status', '<>', 'cancelled')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** True where a merge of this commit made a release of the same things before. */
export async function wasMerged(
  db: Db,
  { channel_id, commit_sha, input_hash }: Pick<AppReleaseRow, 'channel_id' | 'commit_sha' | 'input_hash'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('app_releases')
    .select('release_id')
    .where('channel_id', '=', channel_id)
    .where('commit_sha', '=', commit_sha)
    .where('input_hash', '=', input_hash)
    .where('source', '=', 'merge')
    .executeTakeFirst()
  return row !== undefined
}

export interface ReleaseQuery {
  readonly app_id: string
  readonly kind?: 'production' | 'preview' | undefined
  readonly status?: ReleaseStatus | undefined
  readonly below?: number | undefined
  readonly limit: number
}

/** Newest first. */
export async function list(db: Db, query: ReleaseQuery): Promise<AppReleaseRow[]> {
  const { app_id, kind, status, below, limit } = query
  let rows = db.selectFrom('app_releases').selectAll('app_releases').where('app_releases.app_id', '=', app_id)
  if (kind !== undefined)
    rows = rows
      .innerJoin('app_channels', 'app_channels.channel_id', 'app_releases.channel_id')
      .where('app_channels.kind', '=', kind)
  if (status !== undefined) rows = rows.where('app_releases.status', '=', status)
  if (below !== undefined) rows = rows.where('number', '<', below)
  return rows.orderBy('number', 'desc').limit(limit).execute()
}

/** These releases, and the newest of each of these apps for production. */
export async function listShown(
  db: Db,
  app_ids: readonly string[],
  release_ids: readonly string[],
): Promise<AppReleaseRow[]> {
  const { rows } = await sql<AppReleaseRow>`
    select * from app_releases where release_id = any(${release_ids}::uuid[]) or release_id in (
      select distinct on (r.app_id) r.release_id from app_releases r
      join app_channels c on c.channel_id = r.channel_id and c.kind = 'production'
      where r.app_id = any(${app_ids}::uuid[]) order by r.app_id, r.number desc)`.execute(db)
  return rows
}

type Columns = Omit<UpdateObject<Database, 'app_releases'>, 'status' | 'updated_at'>

/** Applies `event` if the status accepts it; undefined means it did not. */
export async function apply(
  tx: Db,
  release_id: string,
  event: ReleaseEvent,
  now: Date,
  columns: Columns = {},
): Promise<AppReleaseRow | undefined> {
  return tx
    .updateTable('app_releases')
    .set({ ...columns, status: releaseMachine.to(event), updated_at: now })
    .where('release_id', '=', release_id)
    .where('status', 'in', releaseMachine.from(event))
    .returningAll()
    .executeTakeFirst()
}

/** Counts that work on it begins; undefined when it is over. */
export async function begin(db: Db, release_id: string, now: Date): Promise<AppReleaseRow | undefined> {
  return db
    .updateTable('app_releases')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      started_at: eb.fn.coalesce('started_at', eb.val(now)),
      updated_at: now,
    }))
    .where('release_id', '=', release_id)
    .where('status', 'in', openReleases)
    .returningAll()
    .executeTakeFirst()
}

/** One at a time asks for releases of a project, until its transaction ends: what it counts does not change meanwhile. */
export async function lockAsking(tx: Db, project_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`app-releases:${project_id}`}, 0))`.execute(tx)
}

export async function countOpen(db: Db, project_id: string): Promise<number> {
  const { open } = await db
    .selectFrom('app_releases')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('project_id', '=', project_id)
    .where('status', 'in', openReleases)
    .executeTakeFirstOrThrow()
  return open
}

/** Those that are worked on, and had no sign of it since. */
export async function listOwed(db: Db, quiet_since: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('app_releases')
    .select('release_id')
    .where('status', 'in', openReleases)
    .where('updated_at', '<', quiet_since)
    .orderBy('updated_at')
    .limit(limit)
    .execute()
  return rows.map(({ release_id }) => release_id)
}

/** The open ones of a channel before this number. */
export async function listOpenBefore(tx: Db, channel_id: string, number: number): Promise<AppReleaseRow[]> {
  return tx
    .selectFrom('app_releases')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .where('status', 'in', openReleases)
    .where('number', '<', number)
    .execute()
}

/** True when this gave the release its files: another run may have done it. */
export async function setArtifact(
  tx: Db,
  release_id: string,
  artifact: NonNullable<AppReleaseRow['artifact']>,
  files: readonly Omit<AppReleaseFileRow, 'release_id'>[],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('app_releases')
    .set({ artifact: jsonb(artifact) })
    .where('release_id', '=', release_id)
    .where('artifact', 'is', null)
    .where('status', 'in', openReleases)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const columns =
    'path text, sha256 text, bytes bigint, content_type text, br_sha256 text, gzip_sha256 text, hashed boolean'
  await sql`insert into app_release_files
      (release_id, path, sha256, bytes, content_type, br_sha256, gzip_sha256, hashed)
    select ${release_id}, f.* from jsonb_to_recordset(${jsonb(files)}::jsonb) as f (${sql.raw(columns)})`.execute(
    tx,
  )
  return true
}

export async function files(db: Db, release_id: string): Promise<AppReleaseFileRow[]> {
  return db.selectFrom('app_release_files').selectAll().where('release_id', '=', release_id).execute()
}

/** Paths of this app that had other bytes in a release: their names do not change with them. */
export async function changedPaths(
  db: Db,
  app_id: string,
  given: readonly { readonly path: string; readonly sha256: string }[],
): Promise<Set<string>> {
  if (given.length === 0) return new Set()
  const { rows } = await sql<{ path: string }>`
    select distinct f.path from jsonb_to_recordset(${jsonb(given)}::jsonb) as g (path text, sha256 text)
    join app_release_files f on f.path = g.path and f.sha256 <> g.sha256
    join app_releases r on r.release_id = f.release_id and r.app_id = ${app_id}`.execute(db)
  return new Set(rows.map(({ path }) => path))
}

/** A sign of life of the work on a release; false once it ended. */
export async function keepWorking(db: Db, release_id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('app_releases')
    .set({ updated_at: now })
    .where('release_id', '=', release_id)
    .where('status', 'in', openReleases)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
