import { type SandboxEvent, sandboxStatusesAccepting } from '@svc/session'
import type { Insertable } from 'kysely'
import type { Db } from './database.ts'
import type { SandboxPatch, SandboxRow, SandboxTable } from './sandboxes.table.ts'

export async function insert(db: Db, sandbox: Insertable<SandboxTable>): Promise<void> {
  await db.insertInto('session_sandboxes').values(sandbox).execute()
}

export async function find(db: Db, session_id: string): Promise<SandboxRow | undefined> {
  return db
    .selectFrom('session_sandboxes')
    .selectAll()
    .where('session_id', '=', session_id)
    .executeTakeFirst()
}

/** Locks the record until the transaction ends; the session's row is locked before it. */
export async function lock(tx: Db, session_id: string): Promise<SandboxRow | undefined> {
  return tx
    .selectFrom('session_sandboxes')
    .selectAll()
    .where('session_id', '=', session_id)
    .forUpdate()
    .executeTakeFirst()
}

export async function findByExternalId(db: Db, external_id: string): Promise<SandboxRow | undefined> {
  return db
    .selectFrom('session_sandboxes')
    .selectAll()
    .where('external_id', '=', external_id)
    .executeTakeFirst()
}

export async function findByServiceKey(
  db: Db,
  service_key_hash: Buffer,
): Promise<{ session_id: string; project_id: string } | undefined> {
  return db
    .selectFrom('session_sandboxes')
    .innerJoin('project_sessions', 'project_sessions.session_id', 'session_sandboxes.session_id')
    .select(['session_sandboxes.session_id', 'project_sessions.project_id'])
    .where('service_key_hash', '=', service_key_hash)
    .where('project_sessions.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Applies `event` if the record's status still accepts it; undefined means it did not. */
export async function apply(
  db: Db,
  session_id: string,
  event: SandboxEvent,
  patch: SandboxPatch,
): Promise<SandboxRow | undefined> {
  return db
    .updateTable('session_sandboxes')
    .set(patch)
    .where('session_id', '=', session_id)
    .where('status', 'in', sandboxStatusesAccepting(event))
    .returningAll()
    .executeTakeFirst()
}

/** Changes that leave the status alone. */
export async function patch(db: Db, session_id: string, values: Omit<SandboxPatch, 'status'>): Promise<void> {
  await db.updateTable('session_sandboxes').set(values).where('session_id', '=', session_id).execute()
}

export interface IdleQuery {
  readonly now: Date
  /** Nobody has used the sandbox since. */
  readonly idle_since: Date
}

/** Running sandboxes that nobody uses and that no lease protects. */
export async function listIdle(db: Db, query: IdleQuery): Promise<string[]> {
  const rows = await db
    .selectFrom('session_sandboxes')
    .innerJoin('project_sessions', 'project_sessions.session_id', 'session_sandboxes.session_id')
    .select('session_sandboxes.session_id')
    .where('project_sessions.status', '=', 'running')
    .where('project_sessions.deleted_at', 'is', null)
    .where('session_sandboxes.status', '=', 'active')
    .where('last_active_at', '<', query.idle_since)
    .where((eb) => eb.or([eb('lease_expires_at', 'is', null), eb('lease_expires_at', '<', query.now)]))
    .execute()
  return rows.map((row) => row.session_id)
}

/** Whether nobody uses the sandbox; while the answer is true it stays so until the transaction ends. */
export async function isIdle(tx: Db, session_id: string, query: IdleQuery): Promise<boolean> {
  const row = await lock(tx, session_id)
  if (row?.status !== 'active' || row.last_active_at >= query.idle_since) return false
  return row.lease_expires_at === null || row.lease_expires_at < query.now
}
