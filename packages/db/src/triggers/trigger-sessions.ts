import { sql } from 'kysely'
import type { Db } from '../database.ts'
import * as sessions from '../sessions/sessions.ts'
import type { TriggerKey } from './triggers.ts'

export interface Reusing extends TriggerKey {
  /** The session whose agent fires: it goes on with its descendants, others with sessions that no agent fired. */
  readonly actor_session_id: string | null
}

/** The newest session of the trigger that can go on: neither failed nor deleted. With a key, of exactly that key. */
export async function findReusable(
  db: Db,
  { actor_session_id, ...key }: Reusing,
  session_key?: string,
): Promise<sessions.SessionView | undefined> {
  let rows = db
    .selectFrom('trigger_sessions as t')
    .innerJoin('project_sessions as s', 's.session_id', 't.session_id')
    .select('t.session_id')
    .where('t.project_id', '=', key.project_id)
    .where('t.slug', '=', key.slug)
    .where('s.deleted_at', 'is', null)
    .where('s.status', '<>', 'failed')
  rows =
    actor_session_id === null
      ? rows.where('s.parent_session_id', 'is', null)
      : rows.where(sql<boolean>`${actor_session_id}::uuid = any(s.ancestor_session_ids)`)
  if (session_key !== undefined) rows = rows.where('t.session_key', '=', session_key)
  const row = await rows.orderBy('t.created_at', 'desc').limit(1).executeTakeFirst()
  return row === undefined ? undefined : sessions.findById(db, row.session_id)
}
