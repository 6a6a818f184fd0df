import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import type { ConnectorKey } from './connectors.ts'
import type { AuthorizationRow, AuthorizationTable } from './connectors.table.ts'

export async function insert(tx: Db, row: Insertable<AuthorizationTable>): Promise<AuthorizationRow> {
  return tx.insertInto('connector_authorizations').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function find(
  db: Db,
  key: ConnectorKey & { readonly authorization_id: string },
): Promise<AuthorizationRow | undefined> {
  return db
    .selectFrom('connector_authorizations')
    .selectAll()
    .where('authorization_id', '=', key.authorization_id)
    .where('project_id', '=', key.project_id)
    .where('slug', '=', key.slug)
    .executeTakeFirst()
}

/** The one that a browser came back for, as long as it is the first to do so. Locked. */
export async function lockPending(
  tx: Db,
  state_hash: Buffer,
  now: Date,
): Promise<AuthorizationRow | undefined> {
  return tx
    .selectFrom('connector_authorizations')
    .selectAll()
    .where('state_hash', '=', state_hash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
}

/** Keeps the code that it came back with. */
export async function keepCode(tx: Db, authorization_id: string, sealed_code: string): Promise<void> {
  await tx
    .updateTable('connector_authorizations')
    .set({ status: 'returned', sealed_code })
    .where('authorization_id', '=', authorization_id)
    .execute()
}

/** Notes that the browser came back, from where there is no code. */
export async function markReturned(tx: Db, authorization_id: string): Promise<void> {
  await tx
    .updateTable('connector_authorizations')
    .set({ status: 'returned' })
    .where('authorization_id', '=', authorization_id)
    .execute()
}

/** Takes the code out of the row: an issuer takes it once, and may end everything that it gave for it if it comes twice. */
export async function takeCode(
  db: Db,
  authorization_id: string,
  now: Date,
): Promise<AuthorizationRow | undefined> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('connector_authorizations')
      .selectAll()
      .where('authorization_id', '=', authorization_id)
      .where('status', '=', 'returned')
      .where('sealed_code', 'is not', null)
      .where('expires_at', '>', now)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return undefined
    await tx
      .updateTable('connector_authorizations')
      .set({ sealed_code: null })
      .where('authorization_id', '=', authorization_id)
      .execute()
    return row
  })
}

/** Ends one that is not over yet; nothing of it can be used after that. */
export async function end(
  tx: Db,
  authorization_id: string,
  { status, error }: { readonly status: 'connected' | 'failed' | 'expired'; readonly error: string | null },
): Promise<AuthorizationRow | undefined> {
  return tx
    .updateTable('connector_authorizations')
    .set({ status, error, sealed_verifier: null, sealed_code: null })
    .where('authorization_id', '=', authorization_id)
    .where('status', 'in', ['pending', 'returned'])
    .returningAll()
    .executeTakeFirst()
}

export async function listOverdue(db: Db, now: Date, limit: number): Promise<AuthorizationRow[]> {
  return db
    .selectFrom('connector_authorizations')
    .selectAll()
    .where('status', 'in', ['pending', 'returned'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}
