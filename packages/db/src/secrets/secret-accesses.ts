import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { SecretAccessRow } from './secrets.table.ts'

export async function insert(db: Db, access: SecretAccessRow): Promise<void> {
  await db.insertInto('secret_accesses').values(access).execute()
}

export interface SecretAccessQuery {
  readonly project_id: string
  /** The person whose personal names are looked at beside the project's. */
  readonly user_id: string
  readonly limit: number
  readonly name?: string | undefined
  readonly session_id?: string | undefined
  readonly before?: { readonly at: Date; readonly access_id: string } | undefined
}

/** Newest first; other people's personal names are neither shown nor searched. */
export async function list(db: Db, query: SecretAccessQuery): Promise<SecretAccessRow[]> {
  const { project_id, user_id, limit, name, session_id, before } = query
  let rows = db
    .selectFrom('secret_accesses')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(sql<boolean>`(cardinality(names) > 0 or user_id = ${user_id}::uuid)`)
  if (name !== undefined) {
    rows = rows.where(
      sql<boolean>`(${name} = any(names) or (user_id = ${user_id}::uuid and ${name} = any(personal_names)))`,
    )
  }
  if (session_id !== undefined) rows = rows.where('session_id', '=', session_id)
  if (before !== undefined) {
    rows = rows.where(sql<boolean>`(at, access_id) < (${before.at}, ${before.access_id}::uuid)`)
  }
  const found = await rows.orderBy('at', 'desc').orderBy('access_id', 'desc').limit(limit).execute()
  return found.map((row) => (row.user_id === user_id ? row : { ...row, personal_names: [] }))
}

/** The number of rows from before that were deleted, `limit` at the most. */
export async function removeOlder(db: Db, before: Date, limit: number): Promise<number> {
  const removed = await db
    .deleteFrom('secret_accesses')
    .where('access_id', 'in', (eb) =>
      eb
        .selectFrom('secret_accesses')
        .select('access_id')
        .where('at', '<', before)
        .orderBy('at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}
