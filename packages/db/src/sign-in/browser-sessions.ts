import type { Db } from '../database.ts'
import { fixedQuery } from '../kit/fixed-query.ts'
import { prepared } from '../kit/prepared.ts'
import type { BrowserSessionRow } from './browser-sessions.table.ts'

export async function insert(tx: Db, row: BrowserSessionRow): Promise<void> {
  await tx.insertInto('browser_sessions').values(row).execute()
}

const byCookie = fixedQuery((db, cookie_hash: Buffer) =>
  db.selectFrom('browser_sessions').selectAll().modifyFront(prepared).where('cookie_hash', '=', cookie_hash),
)

export async function findByCookie(db: Db, cookie_hash: Buffer): Promise<BrowserSessionRow | undefined> {
  const [row] = await byCookie(db, cookie_hash)
  return row
}

/** Notes the use of one, which prolongs it. */
export async function touch(
  db: Db,
  browser_session_id: string,
  seen: Pick<BrowserSessionRow, 'last_seen_at' | 'expires_at'>,
): Promise<void> {
  await db
    .updateTable('browser_sessions')
    .set(seen)
    .where('browser_session_id', '=', browser_session_id)
    .where('last_seen_at', '<', seen.last_seen_at)
    .execute()
}

export async function listOfUser(db: Db, user_id: string, now: Date): Promise<BrowserSessionRow[]> {
  return (
    db
      .selectFrom('browser_sessions')
      .selectAll()
      .where('user_id', '=', user_id)
      .where('expires_at', '>', now)
      // One whose source has ended is over as well.
      .where((eb) =>
        eb.or([
          eb('sign_in_id', 'is', null),
          eb.exists(
            eb
              .selectFrom('sign_ins')
              .select('sign_ins.sign_in_id')
              .whereRef('sign_ins.sign_in_id', '=', 'browser_sessions.sign_in_id')
              .where('sign_ins.ended_at', 'is', null)
              .where('sign_ins.expires_at', '>', now),
          ),
        ]),
      )
      .where((eb) =>
        eb.or([
          eb('token_id', 'is', null),
          eb.exists(
            eb
              .selectFrom('tokens')
              .select('tokens.token_id')
              .whereRef('tokens.token_id', '=', 'browser_sessions.token_id')
              .where('tokens.revoked_at', 'is', null),
          ),
        ]),
      )
      .orderBy('created_at', 'desc')
      .orderBy('browser_session_id')
      .execute()
  )
}

/** The one that was ended; undefined: the person has no such one. */
export async function end(
  db: Db,
  key: Pick<BrowserSessionRow, 'user_id' | 'browser_session_id'>,
): Promise<Pick<BrowserSessionRow, 'grant_hash' | 'client_id'> | undefined> {
  return db
    .deleteFrom('browser_sessions')
    .where('browser_session_id', '=', key.browser_session_id)
    .where('user_id', '=', key.user_id)
    .returning(['grant_hash', 'client_id'])
    .executeTakeFirst()
}

/** All of a person, but for the one that is kept. */
export async function endOfUser(
  db: Db,
  { user_id, keep }: { readonly user_id: string; readonly keep?: string | undefined },
): Promise<void> {
  let query = db.deleteFrom('browser_sessions').where('user_id', '=', user_id)
  if (keep !== undefined) query = query.where('browser_session_id', '<>', keep)
  await query.execute()
}

/** Deletes a few that are over. */
export async function forgetOld(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('browser_sessions')
    .where('browser_session_id', 'in', (eb) =>
      eb
        .selectFrom('browser_sessions')
        .select('browser_session_id')
        .where('expires_at', '<=', now)
        .limit(100)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}
