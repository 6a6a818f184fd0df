import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import { type ArtefactKey, endArtefacts } from './end-artefacts.ts'
import type {
  OAuthArtefactRow,
  OAuthArtefactTable,
  OAuthClientRow,
  OAuthKeyRow,
  OAuthModel,
} from './oauth.table.ts'

export { type BearerRow, findApproval, findBearer } from './bearers.ts'

export async function findKeys(db: Db): Promise<OAuthKeyRow | undefined> {
  return db.selectFrom('oauth_keys').selectAll().executeTakeFirst()
}

/** Returns the keys in force: these, or those that another process inserted first. */
export async function insertKeys(db: Db, keys: Omit<OAuthKeyRow, 'singleton'>): Promise<OAuthKeyRow> {
  await db
    .insertInto('oauth_keys')
    .values(keys)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db.selectFrom('oauth_keys').selectAll().executeTakeFirstOrThrow()
}

export async function findClient(db: Db, client_id: string): Promise<OAuthClientRow | undefined> {
  return db.selectFrom('oauth_clients').selectAll().where('client_id', '=', client_id).executeTakeFirst()
}

export async function insertClient(db: Db, client: Omit<OAuthClientRow, 'last_used_at'>): Promise<void> {
  const { metadata, ...row } = client
  await db
    .insertInto('oauth_clients')
    .values({ ...row, metadata: jsonb(metadata), last_used_at: null })
    .execute()
}

export async function touchClient(db: Db, client_id: string, now: Date): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ last_used_at: now })
    .where('client_id', '=', client_id)
    .execute()
}

/** A later save replaces what is sealed; what was consumed stays consumed. */
export async function put(db: Db, artefact: Insertable<OAuthArtefactTable>): Promise<void> {
  const { sealed, grant_hash, lookup_hash, user_id, client_id, scope, expires_at } = artefact
  const changed = { sealed, grant_hash, lookup_hash, user_id, client_id, scope, expires_at }
  await db
    .insertInto('oauth_artefacts')
    .values(artefact)
    .onConflict((conflict) => conflict.columns(['model', 'id_hash']).doUpdateSet(changed))
    .execute()
}

export async function find(db: Db, key: ArtefactKey): Promise<OAuthArtefactRow | undefined> {
  return standing(db, key.model).where('id_hash', '=', key.id_hash).executeTakeFirst()
}

export async function findByLookup(
  db: Db,
  model: OAuthModel,
  lookup_hash: Buffer,
): Promise<OAuthArtefactRow | undefined> {
  return standing(db, model).where('lookup_hash', '=', lookup_hash).executeTakeFirst()
}

function standing(db: Db, model: OAuthModel) {
  return db
    .selectFrom('oauth_artefacts')
    .selectAll()
    .where('model', '=', model)
    .where('revoked_at', 'is', null)
}

/** The approval behind an access token that was handed out. */
export async function findGrantOf(
  db: Db,
  artefact_id: string,
): Promise<Pick<OAuthArtefactRow, 'grant_hash' | 'client_id' | 'scope'> | undefined> {
  return db
    .selectFrom('oauth_artefacts')
    .select(['grant_hash', 'client_id', 'scope'])
    .where('artefact_id', '=', artefact_id)
    .where('model', '=', 'AccessToken')
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
}

/** Ends the tokens of an approval, which itself stands. */
export async function endTokensOf(tx: Db, grant_hash: Buffer, now: Date): Promise<void> {
  for (const model of ['AccessToken', 'RefreshToken'] as const)
    await endArtefacts(tx, { grant_hash, model }, now)
}

/** Proof behind an approval. */
export interface ApprovalProof {
  /** True when the person proved a second factor, or showed a token that they minted. */
  readonly mfa: boolean
  /** True when they showed such a token. */
  readonly by_token: boolean
  /** The account whose own provider signed them in; null where it was another way. */
  readonly sso_account_id: string | null
}

/** Writes the proof of an approval. */
export async function markProof(
  db: Db,
  grant_hash: Buffer,
  { mfa, by_token, sso_account_id }: ApprovalProof,
): Promise<void> {
  await db
    .updateTable('oauth_artefacts')
    .set({ mfa, by_token, sso_account_id })
    .where('model', '=', 'Grant')
    .where('id_hash', '=', grant_hash)
    .execute()
}

/** True for the one caller that came first. */
export async function consume(db: Db, key: ArtefactKey, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_artefacts')
    .set({ consumed_at: now })
    .where('model', '=', key.model)
    .where('id_hash', '=', key.id_hash)
    .where('consumed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes that a device asked; false when it asked too soon, which makes it wait five seconds longer from now on. */
export async function notePoll(db: Db, id_hash: Buffer, now: Date): Promise<boolean> {
  const soon = sql<boolean>`polled_at is not null and polled_at > ${now}::timestamptz - make_interval(secs => poll_seconds)`
  const before = await db
    .with('before', (cte) =>
      cte
        .selectFrom('oauth_artefacts')
        .select(['artefact_id', soon.as('soon')])
        .where('model', '=', 'DeviceCode')
        .where('id_hash', '=', id_hash)
        .forUpdate(),
    )
    .updateTable('oauth_artefacts')
    .from('before')
    .set({
      polled_at: now,
      poll_seconds: sql<number>`least(poll_seconds + case when before.soon then 5 else 0 end, 60)`,
    })
    .whereRef('oauth_artefacts.artefact_id', '=', 'before.artefact_id')
    .returning('before.soon')
    .executeTakeFirst()
  return before?.soon !== true
}

export async function remove(db: Db, key: ArtefactKey, now: Date): Promise<void> {
  await endArtefacts(db, key, now)
}

export interface EndedApproval {
  readonly user_id: string
  readonly client_id: string
}

/** Ends one approval with all that came of it; returns its person and client, undefined when it had ended before. */
export async function removeFamily(
  db: Db,
  grant_hash: Buffer,
  now: Date,
): Promise<EndedApproval | undefined> {
  const removed = await endArtefacts(db, { grant_hash }, now)
  const approval = removed.find(({ model }) => model === 'Grant')
  if (!approval || approval.user_id === null || approval.client_id === null) return undefined
  return { user_id: approval.user_id, client_id: approval.client_id }
}

/** Everything that acts as the person: their approvals, and the browsers that they signed in with. */
export async function removeOfUser(db: Db, user_id: string, now: Date): Promise<void> {
  await endArtefacts(db, { user_id }, now)
}

/** The browsers that the person signed in with; what was approved there stands. */
export async function removeBrowsers(tx: Db, user_id: string, now: Date): Promise<void> {
  await endArtefacts(tx, { user_id, model: 'Session' }, now)
}

/** The approvals of people whom a provider of an account signed in, once it is another one. */
export async function removeOfSso(tx: Db, sso_account_id: string): Promise<void> {
  await tx
    .deleteFrom('oauth_artefacts')
    .where('model', '=', 'Grant')
    .where('sso_account_id', '=', sso_account_id)
    .execute()
}

/** The same of one app. */
export async function removeOfApp(
  db: Db,
  app: { readonly user_id: string; readonly client_id: string },
  now: Date,
): Promise<void> {
  await endArtefacts(db, app, now)
}

export interface SweepBounds {
  /** Access tokens that ended before this; until then they say why they are refused. */
  readonly tokens: Date
  /** Everything else that ended before this. */
  readonly rest: Date
  /** Clients that were not used since and that no person has approved. */
  readonly idle: Date
  /** Max rows of one sweep. */
  readonly limit: number
}

export async function sweep(
  db: Db,
  { tokens, rest, idle, limit }: SweepBounds,
): Promise<{ artefacts: number; clients: number }> {
  const artefacts = await db
    .deleteFrom('oauth_artefacts')
    .where('artefact_id', 'in', (eb) =>
      eb
        .selectFrom('oauth_artefacts')
        .select('artefact_id')
        .where('expires_at', '<', rest)
        .where((either) =>
          either.or([either('model', '<>', 'AccessToken'), either('expires_at', '<', tokens)]),
        )
        .orderBy('expires_at')
        .limit(limit),
    )
    .executeTakeFirst()
  const clients = await db
    .deleteFrom('oauth_clients')
    .where((eb) => eb(eb.fn.coalesce('last_used_at', 'created_at'), '<', idle))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('oauth_artefacts')
            .select('artefact_id')
            .whereRef('oauth_artefacts.client_id', '=', 'oauth_clients.client_id'),
        ),
      ),
    )
    .executeTakeFirst()
  return { artefacts: Number(artefacts.numDeletedRows), clients: Number(clients.numDeletedRows) }
}
