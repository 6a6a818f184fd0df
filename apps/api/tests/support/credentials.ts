import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Capability, formatToken, type TokenPrefix } from '@svc/access'
import { type Db, tokens } from '@svc/db'

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

export interface Person {
  readonly user_id: string
  readonly token: string
}

/** Somebody of the account, with a role on the project or none. */
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
