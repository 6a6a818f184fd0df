import { type SandboxEvent, sandboxMachine } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { fixedQuery } from '../kit/fixed-query.ts'
import { live } from '../kit/live.ts'
import { prepared } from '../kit/prepared.ts'
import { sessionViews } from '../sessions/session-view.ts'
import { type SandboxChanges, sandboxColumns } from './sandbox-changes.ts'
import type { OwedSandboxWork, SandboxPatch, SandboxRow } from './sandboxes.table.ts'

export async function find(db: Db, session_id: string): Promise<SandboxRow | undefined> {
  const [sandbox] = await ofSession(db, session_id)
  return sandbox
}

const columns = [
  'session_id',
  'provider',
  'machine',
  'external_id',
  'status',
  'endpoint',
  'sealed_endpoint',
  'service_key_hash',
  'sealed_service_key',
  'sealed_edge',
  'runtime_session_id',
  'renew',
  'retired',
  'owed',
  'checked_at',
  'unsaved_since',
  'saved_checkpoint',
  'error',
  'lease_expires_at',
  'unreachable_since',
  'secrets_owed',
  'last_active_at',
  'shown_revision',
  'created_at',
  'updated_at',
] as const

const ofSession = fixedQuery((db, session_id: string) =>
  db
    .selectFrom('session_sandboxes')
    .select(columns)
    .modifyFront(prepared)
    .where('session_id', '=', session_id),
)

/** Locks the record until the transaction ends; the session's row is locked before it. */
export async function lock(tx: Db, session_id: string): Promise<SandboxRow | undefined> {
  return tx
    .selectFrom('session_sandboxes')
    .selectAll()
    .where('session_id', '=', session_id)
    .forUpdate()
    .executeTakeFirst()
}

const named = fixedQuery((db, external_id: string) =>
  sessionViews(db)
    .modifyFront(prepared)
    .select([
      'session_sandboxes.endpoint',
      'session_sandboxes.sealed_endpoint',
      'session_sandboxes.sealed_service_key',
    ])
    .where('session_sandboxes.external_id', '=', external_id)
    .where('project_sessions.deleted_at', 'is', null),
)

/** The session whose sandbox has that name, with the way to its daemon. */
export async function findByExternalId(db: Db, external_id: string) {
  const [session] = await named(db, external_id)
  return session
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

/** Applies `event` if the record's status accepts it; undefined means it did not. */
export async function apply<Event extends SandboxEvent>(
  db: Db,
  session_id: string,
  event: Event,
  change: SandboxChanges[Event],
  now: Date,
): Promise<SandboxRow | undefined> {
  return db
    .updateTable('session_sandboxes')
    .set({ ...sandboxColumns(event, change, now), status: sandboxMachine.to(event), updated_at: now })
    .where('session_id', '=', session_id)
    .where('status', 'in', sandboxMachine.from(event))
    .returningAll()
    .executeTakeFirst()
}

/** Changes that leave the status alone. Tells whether another sandbox is to take its place. */
export async function patch(
  db: Db,
  session_id: string,
  values: Omit<SandboxPatch, 'status'>,
): Promise<{ readonly renew: boolean } | undefined> {
  return db
    .updateTable('session_sandboxes')
    .set(values)
    .where('session_id', '=', session_id)
    .returning('renew')
    .executeTakeFirst()
}

/** Writes news of one sandbox. False: its identity has ended, and another sandbox may have taken its place. */
export async function patchOwn(
  db: Db,
  own: { readonly session_id: string; readonly service_key_hash: Uint8Array },
  values: Omit<SandboxPatch, 'status'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session_sandboxes')
    .set(values)
    .where('session_id', '=', own.session_id)
    .where('service_key_hash', '=', Buffer.from(own.service_key_hash))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Its work is not saved; since the first time that it was not. */
export async function oweCheckpoint(
  db: Db,
  own: { readonly session_id: string; readonly service_key_hash: Uint8Array },
  since: Date,
): Promise<void> {
  await db
    .updateTable('session_sandboxes')
    .set({ unsaved_since: since })
    .where('session_id', '=', own.session_id)
    .where('service_key_hash', '=', Buffer.from(own.service_key_hash))
    .where('unsaved_since', 'is', null)
    .execute()
}

/** True while this identity is still the session's; a true answer holds until the transaction ends. */
export async function isOwn(
  tx: Db,
  own: { readonly session_id: string; readonly service_key_hash: Uint8Array },
): Promise<boolean> {
  const row = await tx
    .selectFrom('session_sandboxes')
    .select('session_id')
    .where('session_id', '=', own.session_id)
    .where('service_key_hash', '=', Buffer.from(own.service_key_hash))
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Notes since when the daemon takes no prompts; the first time counts. */
export async function markUnreachable(db: Db, session_id: string, now: Date): Promise<void> {
  await db
    .updateTable('session_sandboxes')
    .set({ unreachable_since: now })
    .where('session_id', '=', session_id)
    .where('unreachable_since', 'is', null)
    .execute()
}

/** Puts the sandbox aside whose place another one takes; its identity ends here. */
export async function retire(tx: Db, session_id: string, now: Date): Promise<void> {
  await apply(tx, session_id, 'renew', { is_removed: false }, now)
  await tx
    .updateTable('session_sandboxes')
    .set({
      retired: sql<string[]>`array_append(retired, external_id)`,
      external_id: null,
      sealed_service_key: null,
    })
    .where('session_id', '=', session_id)
    .where('external_id', 'is not', null)
    .execute()
}

export async function forgetRetired(tx: Db, session_id: string, external_id: string): Promise<void> {
  await tx
    .updateTable('session_sandboxes')
    .set({ retired: sql<string[]>`array_remove(retired, ${external_id})` })
    .where('session_id', '=', session_id)
    .execute()
}

/** The worker has done what was owed, unless more was asked for meanwhile. */
export async function settleOwed(tx: Db, session_id: string, done: OwedSandboxWork): Promise<void> {
  await tx
    .updateTable('session_sandboxes')
    .set({ owed: null })
    .where('session_id', '=', session_id)
    .where('owed', '=', done)
    .where(sql<boolean>`retired = '{}'`)
    .execute()
}

/** A secret was written: the live sandboxes of the project, or of one person in it, are owed it. */
export async function oweSecrets(tx: Db, of: { project_id: string; user_id: string | null }): Promise<void> {
  await sql`update session_sandboxes b set secrets_owed = b.secrets_owed + 1
    from project_sessions s where s.session_id = b.session_id and s.project_id = ${of.project_id}
      and s.deleted_at is null and s.status in ${live}
      and (${of.user_id}::uuid is null or s.created_by = ${of.user_id}::uuid)`.execute(tx)
}

/** Notes that the sandbox may lack today's secrets. */
export async function oweSecretsTo(tx: Db, session_id: string): Promise<void> {
  await tx
    .updateTable('session_sandboxes')
    .set({ secrets_owed: sql`secrets_owed + 1` })
    .where('session_id', '=', session_id)
    .execute()
}

/** Marks the writes counted by then as delivered; a later one stays owed. */
export async function settleSecrets(tx: Db, session_id: string, counted: number): Promise<void> {
  await tx
    .updateTable('session_sandboxes')
    .set({ secrets_owed: sql`secrets_owed - ${counted}` })
    .where('session_id', '=', session_id)
    .where('secrets_owed', '>=', counted)
    .execute()
}

export interface IdleQuery {
  readonly now: Date
  /** Idle: the sandbox of a person's session that was not used since. */
  readonly idle_since: Date
  /** The same for a session that a trigger started. */
  readonly trigger_idle_since: Date
}

/** Running sandboxes that are idle and that no lease protects, the longest idle first: by `session_sandboxes_active`. */
export async function listIdle(db: Db, query: IdleQuery, limit: number): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    select b.session_id from session_sandboxes b join project_sessions s using (session_id)
    where s.status = 'running' and s.deleted_at is null and b.status = 'active'
      and b.last_active_at < case when s.origin = 'trigger' then ${query.trigger_idle_since}::timestamptz
                                  else ${query.idle_since}::timestamptz end
      and (b.lease_expires_at is null or b.lease_expires_at < ${query.now})
      and not exists (select 1 from session_prompts p where p.session_id = b.session_id
                      and p.state in ('pending', 'running'))
    order by b.last_active_at limit ${limit}`.execute(db)
  return rows.map((row) => row.session_id)
}

/** True when the sandbox is idle; a true answer holds until the transaction ends. */
export async function isIdle(tx: Db, session_id: string, query: IdleQuery): Promise<boolean> {
  const row = await lock(tx, session_id)
  if (row?.status !== 'active') return false
  const owed = await tx
    .selectFrom('session_prompts')
    .select('prompt_id')
    .where('session_id', '=', session_id)
    .where('state', 'in', ['pending', 'running'])
    .limit(1)
    .executeTakeFirst()
  if (owed) return false
  const { origin } = await tx
    .selectFrom('project_sessions')
    .select('origin')
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow()
  const since = origin === 'trigger' ? query.trigger_idle_since : query.idle_since
  if (row.last_active_at >= since) return false
  return row.lease_expires_at === null || row.lease_expires_at < query.now
}

/** Stopped sandboxes whose files a checkpoint has, unchanged since before: by `session_sandboxes_saved`. */
export async function listSaved(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    select session_id from session_sandboxes b
    where saved_checkpoint is not null and status = 'stopped' and updated_at < ${before}
      and exists (select from project_sessions s where s.session_id = b.session_id
        and s.status = 'stopped' and s.deleted_at is null)
    order by updated_at limit ${limit}`.execute(db)
  return rows.map(({ session_id }) => session_id)
}
