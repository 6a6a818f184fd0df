import { type Insertable, sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Db } from '../database.ts'
import { fixedQuery } from '../kit/fixed-query.ts'
import { batchedRead } from '../kit/batched.ts'
import * as oauth from '../oauth/oauth.ts'
import { prepared } from '../kit/prepared.ts'
import type { SessionRow } from '../sessions/sessions.table.ts'
import * as browserSessions from './browser-sessions.ts'
import * as signIns from './sign-ins.ts'
import type { TokenRow, TokenTable } from './tokens.table.ts'

export async function insert(db: Db, token: Insertable<TokenTable>): Promise<TokenRow> {
  return db.insertInto('tokens').values(token).returningAll().executeTakeFirstOrThrow()
}

const columns = [
  'token_id',
  'kind',
  'token_hash',
  'display_prefix',
  'name',
  'user_id',
  'account_id',
  'project_id',
  'session_id',
  'default_branch',
  'rotated_from',
  'expires_at',
  'last_used_at',
  'revoked_at',
  'created_at',
] as const

/** A token with its session; that is null where it is of none, or where it was deleted. */
export interface TokenOfSession extends TokenRow {
  readonly session: Pick<
    SessionRow,
    'session_id' | 'ancestor_session_ids' | 'agent_grant' | 'merge_granted'
  > | null
}

const ofSession = (db: Db) =>
  db
    .selectFrom('tokens')
    .select(columns)
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom('project_sessions')
          .select(['project_sessions.session_id', 'ancestor_session_ids', 'agent_grant', 'merge_granted'])
          .whereRef('project_sessions.session_id', '=', 'tokens.session_id')
          .whereRef('project_sessions.project_id', '=', 'tokens.project_id')
          .where('deleted_at', 'is', null),
      ).as('session'),
    )
    .modifyFront(prepared)

const withHashes = fixedQuery((db, hashes: readonly Buffer[]) =>
  ofSession(db).where('token_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`),
)

/**
 * By its hash, with the session that it ends with. Calls at the same time share one statement: each request begins with
 * this query.
 */
export const findByHash = batchedRead(async (db: Db, hashes: readonly Buffer[]) => {
  const found = await withHashes(db, hashes)
  const byHash = new Map(found.map((row) => [row.token_hash.toString('hex'), row]))
  return hashes.map((hash) => byHash.get(hash.toString('hex')))
})

const withId = fixedQuery((db, token_id: string) => ofSession(db).where('token_id', '=', token_id))

export async function find(db: Db, token_id: string): Promise<TokenOfSession | undefined> {
  const [row] = await withId(db, token_id)
  return row
}

/** Writes `last_used_at` at most once a minute. */
export async function touch(db: Db, token_id: string, now: Date): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ last_used_at: now })
    .where('token_id', '=', token_id)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', new Date(now.getTime() - 60_000))]),
    )
    .execute()
}

export async function listOfUser(db: Db, user_id: string): Promise<TokenRow[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('kind', '=', 'user')
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('token_id')
    .execute()
}

export async function listOfProject(db: Db, project_id: string): Promise<TokenRow[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('kind', '=', 'project')
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('token_id')
    .execute()
}

export async function listOfServiceAccount(db: Db, user_id: string): Promise<TokenRow[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('kind', '=', 'service')
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('token_id')
    .execute()
}

/** The tokens of a directory belong to its account, not to the person who minted them. */
export async function listOfDirectory(db: Db, account_id: string): Promise<TokenRow[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('kind', '=', 'scim')
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('token_id')
    .execute()
}

export type TokenOwner =
  | { readonly token_id: string; readonly user_id: string; readonly kind: 'user' | 'service' }
  | { readonly token_id: string; readonly project_id: string; readonly kind: 'project' | 'gateway' }
  | { readonly token_id: string; readonly account_id: string; readonly kind: 'scim' }

/** True when there was such a token to revoke. */
export async function revoke(db: Db, owner: TokenOwner, now: Date): Promise<boolean> {
  const query = db
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('token_id', '=', owner.token_id)
    .where('kind', '=', owner.kind)
    .where('revoked_at', 'is', null)
  const owned =
    'user_id' in owner
      ? query.where('user_id', '=', owner.user_id)
      : 'account_id' in owner
        ? query.where('account_id', '=', owner.account_id)
        : query.where('project_id', '=', owner.project_id).where('session_id', 'is', null)
  const { numUpdatedRows } = await owned.executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function revokeOfSession(db: Db, session_id: string, now: Date): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('session_id', '=', session_id)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function revokeOfProject(db: Db, project_id: string, now: Date): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('project_id', '=', project_id)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Every credential that acts as the user: those of one account's projects alone when `account_id` is given. */
export async function revokeOfUser(
  db: Db,
  owner: { readonly user_id: string; readonly account_id?: string },
  now: Date,
): Promise<void> {
  const { user_id, account_id } = owner
  let query = db
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', user_id)
    .where('kind', '<>', 'scim')
    .where('revoked_at', 'is', null)
  if (account_id !== undefined) {
    query = query.where('project_id', 'in', (eb) =>
      eb.selectFrom('projects').select('project_id').where('account_id', '=', account_id),
    )
  }
  await query.execute()
  // Tokens of apps belong to no project.
  if (account_id === undefined) {
    await oauth.removeOfUser(db, user_id, now)
    await signIns.endOfUser(db, { user_id }, 'revoked', now)
    await browserSessions.endOfUser(db, { user_id })
  }
}

/** The same on one project. */
export async function revokeOnProject(
  db: Db,
  owner: { readonly user_id: string; readonly project_id: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', owner.user_id)
    .where('project_id', '=', owner.project_id)
    .where('revoked_at', 'is', null)
    .execute()
}
