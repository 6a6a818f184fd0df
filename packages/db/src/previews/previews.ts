import { previewMachine } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { fixedQuery } from '../kit/fixed-query.ts'
import { prepared } from '../kit/prepared.ts'
import type { PreviewRow } from './previews.table.ts'

/** A new one of a person, who has at most so many of one session: the oldest ones end. */
export async function insert(tx: Db, preview: PreviewRow, max: number): Promise<void> {
  const { session_id, user_id } = preview
  await sql`select pg_advisory_xact_lock(hashtextextended(${`previews:${session_id}:${user_id}`}, 0))`.execute(
    tx,
  )
  await sql`delete from session_previews where label in (
    select label from session_previews where session_id = ${session_id} and user_id = ${user_id}
    order by created_at desc offset ${max - 1})`.execute(tx)
  await tx.insertInto('session_previews').values(preview).execute()
}

/** One whose ticket is spent for a cookie; undefined where the ticket is another, was used, or is too old. */
export async function open(
  db: Db,
  ticket: Pick<PreviewRow, 'label' | 'secret_hash'>,
  cookie: Pick<PreviewRow, 'secret_hash' | 'expires_at'>,
  now: Date,
): Promise<Pick<PreviewRow, 'label'> | undefined> {
  return db
    .updateTable('session_previews')
    .set({ ...cookie, state: previewMachine.to('open') })
    .where('label', '=', ticket.label)
    .where('secret_hash', '=', ticket.secret_hash)
    .where('state', 'in', previewMachine.from('open'))
    .where('expires_at', '>', now)
    .returning('label')
    .executeTakeFirst()
}

const openOnes = fixedQuery((db, label: string, now: Date) =>
  db
    .selectFrom('session_previews')
    .innerJoin('project_sessions', 'project_sessions.session_id', 'session_previews.session_id')
    .select([
      'session_previews.session_id',
      'project_sessions.project_id',
      'port',
      'credential_prefix',
      'credential_hash',
      'secret_hash',
    ])
    .modifyFront(prepared)
    .where('label', '=', label)
    .where('session_previews.expires_at', '>', now)
    .where('session_previews.state', '=', sql.lit('open' as const)),
)

export type OpenPreview = Awaited<ReturnType<typeof openOnes>>[number]

export async function findOpen(db: Db, label: string, now: Date): Promise<OpenPreview | undefined> {
  const [preview] = await openOnes(db, label, now)
  return preview
}

/** The number of those that were removed. */
export async function removeExpired(db: Db, now: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session_previews')
    .where('label', 'in', (eb) =>
      eb
        .selectFrom('session_previews')
        .select('label')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
