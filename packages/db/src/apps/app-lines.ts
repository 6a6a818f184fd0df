import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { AppLogLineRow, AppReleaseRow } from './apps.table.ts'

export type NewLine = Pick<AppLogLineRow, 'source' | 'stream' | 'at' | 'line'> & {
  readonly instance_id?: string
}

/** Appends to the log of an app, in this order. */
export async function add(
  db: Db,
  { app_id, release_id }: Pick<AppReleaseRow, 'app_id' | 'release_id'>,
  lines: readonly NewLine[],
): Promise<void> {
  if (lines.length === 0) return
  await sql`with given as (
      update apps set last_line_seq = last_line_seq + ${lines.length} where app_id = ${app_id}
      returning last_line_seq - ${lines.length} as before)
    insert into app_log_lines (app_id, seq, release_id, instance_id, source, stream, at, line)
    select ${app_id}, given.before + l.n, ${release_id}, (l.body ->> 'instance_id')::uuid, l.body ->> 'source',
      l.body ->> 'stream', (l.body ->> 'at')::timestamptz, l.body ->> 'line'
    from given, jsonb_array_elements(${jsonb(lines)}::jsonb) with ordinality as l (body, n)`.execute(db)
}

export interface LineQuery {
  readonly app_id: string
  readonly release_id?: string | undefined
  readonly source?: AppLogLineRow['source'] | undefined
  readonly after: number
  readonly limit: number
}

export async function list(db: Db, query: LineQuery): Promise<AppLogLineRow[]> {
  const { app_id, release_id, source, after, limit } = query
  let rows = db.selectFrom('app_log_lines').selectAll().where('app_id', '=', app_id).where('seq', '>', after)
  if (release_id !== undefined) rows = rows.where('release_id', '=', release_id)
  if (source !== undefined) rows = rows.where('source', '=', source)
  return rows.orderBy('seq').limit(limit).execute()
}

/** The end of what a release or one of its instances printed, in its order. */
export async function last(
  db: Db,
  { release_id, instance_id }: { readonly release_id: string; readonly instance_id?: string },
  limit: number,
): Promise<AppLogLineRow[]> {
  let rows = db
    .selectFrom('app_log_lines')
    .selectAll()
    .where('release_id', '=', release_id)
    .where('source', 'in', ['build', 'app'])
  if (instance_id !== undefined) rows = rows.where('instance_id', '=', instance_id)
  return (await rows.orderBy('seq', 'desc').limit(limit).execute()).reverse()
}

/** Removes lines of programs that are older, at most `limit`; how many there were. */
export async function removeBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from app_log_lines where (app_id, seq) in (
    select app_id, seq from app_log_lines where source = 'app' and at < ${before} order by at limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Removes the oldest lines of programs of apps that have more than `max` lines; how many there were. */
export async function removeBeyond(db: Db, max: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from app_log_lines where (app_id, seq) in (
    select l.app_id, l.seq from apps a
    cross join lateral (select app_id, seq from app_log_lines
      where app_id = a.app_id and seq <= a.last_line_seq - ${max} and source = 'app' order by seq limit ${limit}) l
    where a.last_line_seq > ${max} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
