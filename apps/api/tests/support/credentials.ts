import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { formatToken, type TokenPrefix } from '@svc/access'
import type { Capability } from '@svc/facts'
import { type Db, oauth, signIns, tokens } from '@svc/db'

type NewRow = Parameters<typeof tokens.insert>[1]

export interface Minted {
  readonly token: string
  readonly token_id: string
}

export function newSecret(prefix: TokenPrefix): string {
  return formatToken(prefix, randomBytes(32))
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** A credential as the platform would have minted it, in whatever state the test wants. */
export async function mint(
  db: Db,
  row: Pick<NewRow, 'kind' | 'user_id'> & Partial<NewRow>,
  prefix: TokenPrefix = 'svc_pat_',
): Promise<Minted> {
  const token = newSecret(prefix)
  const token_id = randomUUID()
  await tokens.insert(db, {
    project_id: null,
    session_id: null,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
    created_at: new Date(),
    name: 'test',
    ...row,
    token_id,
    token_hash: hashOf(token),
    display_prefix: token.slice(0, 12),
  })
  return { token, token_id }
}

/** A sign-in without a second factor, in whatever state the test wants. */
export async function mintSignIn(
  db: Db,
  {
    user_id,
    ended_at,
    expires_at,
    mfa = false,
  }: { user_id: string; ended_at?: Date; expires_at?: Date; mfa?: boolean },
): Promise<{ access: string; refresh: string }> {
  const [access, refresh] = [newSecret('svc_usr_'), newSecret('svc_urt_')]
  const sign_in_id = randomUUID()
  const created_at = new Date(Date.now() - 60_000)
  const until = expires_at ?? new Date(Date.now() + 600_000)
  await signIns.insert(db, {
    sign_in_id,
    user_id,
    method: 'password',
    mfa,
    created_at,
    expires_at: until,
  })
  const common = { sign_in_id, created_at, expires_at: until }
  await signIns.insertTokens(db, [
    { ...common, token_hash: hashOf(access), kind: 'access' },
    { ...common, token_hash: hashOf(refresh), kind: 'refresh' },
  ])
  if (ended_at) await signIns.end(db, sign_in_id, 'sign_out', ended_at)
  return { access, refresh }
}

export interface Person {
  readonly user_id: string
  readonly token: string
}

/** A person of the account, with a role on the project or none. */
export async function addPerson(
  db: Db,
  account_id: string,
  role: 'owner' | 'admin' | 'member',
): Promise<Person> {
  const user_id = randomUUID()
  const created_at = new Date()
  await db
    .insertInto('users')
    .values({ user_id, email: `${user_id}@svc.invalid`, name: 'Somebody', created_at })
    .execute()
  await db.insertInto('account_members').values({ account_id, user_id, role, created_at }).execute()
  const { token } = await mint(db, { kind: 'user', user_id })
  return { user_id, token }
}

/** The agent's grant of a session, set aside from any manifest. */
export async function grantTo(db: Db, session_id: string, grant: readonly Capability[]): Promise<void> {
  await db
    .updateTable('project_sessions')
    .set({ agent_grant: JSON.stringify(grant) })
    .where('session_id', '=', session_id)
    .execute()
}

/** The access token of an app that a person approved, as the authorization server would have left it. */
export async function mintForApp(
  db: Db,
  { user_id, scope, ended = false }: { user_id: string; scope: string; ended?: boolean },
  client_id = 'an-app',
): Promise<string> {
  const token = newSecret('svc_oat_')
  const grant_hash = hashOf(randomUUID())
  const created_at = new Date()
  const expires_at = new Date(created_at.getTime() + 3_600_000)
  const common = { grant_hash, user_id, client_id, scope, sealed: '', created_at, expires_at }
  const empty = { lookup_hash: null, polled_at: null, consumed_at: null, revoked_at: null }
  const approval = {
    ...common,
    ...empty,
    artefact_id: randomUUID(),
    model: 'Grant',
    id_hash: grant_hash,
  } as const
  if (!ended) await oauth.put(db, approval)
  const id_hash = hashOf(token)
  await oauth.put(db, { ...common, ...empty, artefact_id: randomUUID(), model: 'AccessToken', id_hash })
  return token
}
