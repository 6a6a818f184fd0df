import { liveSessionStatuses } from '@svc/facts'
import type { SessionTransition, SessionOrigin, SessionStatus } from '@svc/session'
import { sessionMachine } from '@svc/session'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { fixedQuery } from '../kit/fixed-query.ts'
import { prepared } from '../kit/prepared.ts'
import { type SessionChanges, sessionColumns, type SessionEventColumn } from './session-changes.ts'
import { sessionColumnNames, type SessionView, sessionViews } from './session-view.ts'
import type {
  RequestedSession,
  SessionIdempotencyKeyTable,
  SessionPatch,
  SessionRow,
} from './sessions.table.ts'

export type { SessionView }

export interface SessionKey {
  readonly project_id: string
  readonly session_id: string
}

/** Deleted sessions are not found. */
export async function find(db: Db, key: SessionKey): Promise<SessionView | undefined> {
  const [session] = await ofProject(db, key.project_id, key.session_id)
  return session
}

const ofProject = fixedQuery((db, project_id: string, session_id: string) =>
  sessionViews(db)
    .modifyFront(prepared)
    .where('project_sessions.project_id', '=', project_id)
    .where('project_sessions.session_id', '=', session_id)
    .where('project_sessions.deleted_at', 'is', null),
)

/**
 * Locks the session's row until the transaction ends. A transaction that changes more than one row of a session takes
 * this lock first, so that no two transactions deadlock; an account's row comes before it.
 */
export async function lock(tx: Db, session_id: string): Promise<SessionRow | undefined> {
  const [session] = await locked(tx, session_id)
  return session
}

const locked = fixedQuery((tx, session_id: string) =>
  tx
    .selectFrom('project_sessions')
    .select(sessionColumnNames)
    .modifyFront(prepared)
    .where('session_id', '=', session_id)
    .forNoKeyUpdate(),
)

/** For workers, which start from an id alone; finds deleted sessions too. */
export async function findById(db: Db, session_id: string): Promise<SessionView | undefined> {
  const [session] = await byId(db, session_id)
  return session
}

const byId = fixedQuery((db, session_id: string) =>
  sessionViews(db).modifyFront(prepared).where('project_sessions.session_id', '=', session_id),
)

/** The sessions whose branches these are, deleted ones too: the branch stays. */
export async function listByBranches(
  db: Db,
  project_id: string,
  branches: readonly string[],
): Promise<SessionView[]> {
  if (branches.length === 0) return []
  return sessionViews(db)
    .where('project_sessions.project_id', '=', project_id)
    .where('project_sessions.branch_name', 'in', branches)
    .execute()
}

export interface SessionListQuery {
  readonly project_id: string
  readonly limit: number
  readonly before?: { readonly created_at: Date; readonly session_id: string }
  readonly status?: SessionStatus
  readonly origin?: SessionOrigin
  readonly label?: string
  readonly q?: string
}

/** Newest first; the platform's own only when they are asked for. */
function matching(db: Db, query: SessionListQuery) {
  let rows = sessionViews(db)
    .where('project_sessions.project_id', '=', query.project_id)
    .where('project_sessions.deleted_at', 'is', null)
  if (query.status !== undefined) rows = rows.where('project_sessions.status', '=', query.status)
  rows =
    query.origin === undefined
      ? rows.where('project_sessions.origin', '<>', 'system')
      : rows.where('project_sessions.origin', '=', query.origin)
  if (query.label !== undefined)
    rows = rows.where(sql<boolean>`${query.label} = any(project_sessions.labels)`)
  if (query.q !== undefined) {
    const like = query.q.replace(/[\\%_]/g, '\\$&')
    rows = rows.where((eb) =>
      eb.or([
        eb('project_sessions.name', 'ilike', `%${like}%`),
        eb(sql<string>`project_sessions.session_id::text`, 'like', `${like.toLowerCase()}%`),
      ]),
    )
  }
  if (query.before !== undefined) {
    const { created_at, session_id } = query.before
    rows = rows.where(
      sql<boolean>`(project_sessions.created_at, project_sessions.session_id) < (${created_at}, ${session_id}::uuid)`,
    )
  }
  return rows
    .orderBy('project_sessions.created_at', 'desc')
    .orderBy('project_sessions.session_id', 'desc')
    .limit(query.limit)
}

/** The versions of the rows that are shown: a trigger numbers each anew when what is shown of it changes. */
const digestOfPage = sql<string>`md5(coalesce(string_agg(
  shown_revision || '.' || sandbox_revision, ',' order by created_at desc, session_id desc), ''))`

/** A page, and a digest of what is shown of it, both of one instant. */
export async function list(
  db: Db,
  query: SessionListQuery,
): Promise<{ readonly sessions: SessionView[]; readonly digest: string }> {
  const found = await db
    .with('page', () => matching(db, query))
    .selectFrom('page')
    .selectAll()
    .select((eb) => eb.selectFrom('page').select(digestOfPage.as('digest')).as('digest'))
    .orderBy('created_at', 'desc')
    .orderBy('session_id', 'desc')
    .execute()
  const sessions = found.map(({ digest: _, ...session }) => session)
  return { sessions, digest: found[0]?.digest ?? (await digest(db, query)).digest }
}

/** The digest alone with whose it is, which costs a fraction of the page. */
export async function digest(
  db: Db,
  query: SessionListQuery,
): Promise<{ readonly digest: string; readonly session_ids: readonly string[] }> {
  const row = await db
    .selectFrom(matching(db, query).as('page'))
    .modifyFront(prepared)
    .select([
      digestOfPage.as('digest'),
      sql<string[]>`coalesce(array_agg(session_id), '{}')`.as('session_ids'),
    ])
    .executeTakeFirstOrThrow()
  return row
}

/** Applies `event` if the session's status accepts it; undefined means it did not. */
export async function apply<Event extends SessionTransition>(
  db: Db,
  session_id: string,
  event: Event,
  change: SessionChanges[Event],
  now: Date,
): Promise<SessionRow | undefined> {
  return db
    .updateTable('project_sessions')
    .set({ ...sessionColumns(event, change, now), status: sessionMachine.to(event), updated_at: now })
    .where('session_id', '=', session_id)
    .where('deleted_at', 'is', null)
    .where('status', 'in', sessionMachine.from(event))
    .returningAll()
    .executeTakeFirst()
}

/** Counts the time of a session on its way up from now on; false when it is on no such way. */
export async function waitOn(db: Db, session_id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('project_sessions')
    .set({ provisioning_at: now })
    .where('session_id', '=', session_id)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'provisioning')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Changes that no event stands for. */
export async function patch(
  db: Db,
  key: SessionKey,
  values: Omit<SessionPatch, SessionEventColumn>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('project_sessions')
    .set(values)
    .where('project_id', '=', key.project_id)
    .where('session_id', '=', key.session_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Chooses the connections of its connectors; false when it is gone, or shared where it has to be private. */
export async function bindConnectors(
  tx: Db,
  { project_id, session_id }: SessionKey,
  connectors: NonNullable<RequestedSession['connectors']>,
  { only_private, updated_at }: { readonly only_private: boolean; readonly updated_at: Date },
): Promise<boolean> {
  let query = tx
    .updateTable('project_sessions')
    .set({
      requested: sql`jsonb_set(requested, '{connectors}', ${JSON.stringify(connectors)}::jsonb)`,
      updated_at,
    })
    .where('project_id', '=', project_id)
    .where('session_id', '=', session_id)
    .where('deleted_at', 'is', null)
  if (only_private) query = query.where('visibility', '=', 'private')
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Wakes by the platform itself since a turn last began. */
export async function countWake(db: Db, session_id: string, wakes_after_exit: number): Promise<void> {
  await db
    .updateTable('project_sessions')
    .set({ wakes_after_exit })
    .where('session_id', '=', session_id)
    .where('wakes_after_exit', '<>', wakes_after_exit)
    .execute()
}

export async function listOfProject(db: Db, project_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('project_sessions')
    .select('session_id')
    .where('project_id', '=', project_id)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => row.session_id)
}

export type IdempotencyKey = Selectable<SessionIdempotencyKeyTable>

export async function findIdempotencyKey(
  db: Db,
  idempotency_key: string,
): Promise<IdempotencyKey | undefined> {
  return db
    .selectFrom('session_idempotency_keys')
    .selectAll()
    .where('idempotency_key', '=', idempotency_key)
    .executeTakeFirst()
}

/** False when another request took the key first. */
export async function takeIdempotencyKey(
  tx: Db,
  key: Insertable<SessionIdempotencyKeyTable>,
): Promise<boolean> {
  const row = await tx
    .insertInto('session_idempotency_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .returning('idempotency_key')
    .executeTakeFirst()
  return row !== undefined
}

export async function listLive(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('project_sessions')
    .select('session_id')
    .where('status', 'in', liveSessionStatuses)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => row.session_id)
}
