import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import type { SessionCreateRow, SessionCreateTable } from './session-creates.table.ts'

export async function insert(tx: Db, create: Insertable<SessionCreateTable>): Promise<void> {
  await tx.insertInto('session_creates').values(create).execute()
}

export async function findBySession(db: Db, session_id: string): Promise<SessionCreateRow | undefined> {
  return db.selectFrom('session_creates').selectAll().where('session_id', '=', session_id).executeTakeFirst()
}

/** Accounts that wait; a suspended one goes on waiting. */
export async function listAccounts(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('session_creates')
    .innerJoin('accounts', 'accounts.account_id', 'session_creates.account_id')
    .select('session_creates.account_id')
    .where('suspended_at', 'is', null)
    .distinct()
    .orderBy('session_creates.account_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.account_id)
}

/** The one that has waited the longest, taken out of the queue; the account's row is locked before. */
export async function takeFirst(tx: Db, account_id: string): Promise<SessionCreateRow | undefined> {
  return tx
    .deleteFrom('session_creates')
    .where('command_id', '=', (eb) =>
      eb
        .selectFrom('session_creates')
        .select('command_id')
        .where('account_id', '=', account_id)
        .orderBy('position')
        .limit(1),
    )
    .returningAll()
    .executeTakeFirst()
}

export async function remove(tx: Db, key: { project_id: string; session_id: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('session_creates')
    .where('project_id', '=', key.project_id)
    .where('session_id', '=', key.session_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
