import { liveSessionStatuses } from '@svc/facts'
import type { AccountRole } from '@svc/access'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { AccountMemberKey } from '../accounts/members.ts'
import type { ParkedRoles } from './scim.table.ts'

/** A person whom the directory of an account knows, or who belongs to the account without it. */
export interface DirectoryUser {
  readonly user_id: string
  readonly user_name: string
  readonly external_id: string | null
  /** Null as long as the directory has said nothing about a member. */
  readonly attributes: Record<string, unknown> | null
  readonly parked: ParkedRoles | null
  /** The role in the account; null for a person who is deactivated. */
  readonly role: AccountRole | null
  /** Of the person, whatever the directory calls them. */
  readonly email: string
  readonly name: string
  readonly groups: readonly { readonly group_id: string; readonly display_name: string }[]
  readonly created_at: Date
  readonly updated_at: Date
}

/** Conditions of a filter on columns, so that the other people need not be read. */
export interface UserNarrowing {
  readonly user_id?: string
  readonly user_ids?: readonly string[]
  /** In any case. */
  readonly user_name?: string
  readonly external_id?: string
}

/** People who may match: all of the account, or those that an index finds by name or external id. */
function candidates(account_id: string, { user_name, external_id }: UserNarrowing): RawBuilder<unknown> {
  if (user_name !== undefined)
    return sql`
      select user_id from scim_users where account_id = ${account_id} and lower(user_name) = lower(${user_name})
      union select m.user_id from users u join account_members m on m.user_id = u.user_id
      where m.account_id = ${account_id} and lower(u.email) = lower(${user_name})`
  if (external_id !== undefined)
    return sql`select user_id from scim_users where account_id = ${account_id} and external_id = ${external_id}`
  return sql`
    select user_id from account_members where account_id = ${account_id}
    union select user_id from scim_users where account_id = ${account_id}`
}

function people(account_id: string, narrowing: UserNarrowing): RawBuilder<unknown> {
  const { user_id, user_ids, user_name, external_id } = narrowing
  return sql`
    from (${candidates(account_id, narrowing)}) ids
    join users u on u.user_id = ids.user_id
    left join scim_users s on s.account_id = ${account_id} and s.user_id = ids.user_id
    left join account_members m on m.account_id = ${account_id} and m.user_id = ids.user_id
    where true
    ${user_id === undefined ? sql`` : sql`and ids.user_id = ${user_id}`}
    ${user_ids === undefined ? sql`` : sql`and ids.user_id = any(${[...user_ids]}::uuid[])`}
    ${user_name === undefined ? sql`` : sql`and lower(coalesce(s.user_name, u.email)) = lower(${user_name})`}
    ${external_id === undefined ? sql`` : sql`and s.external_id = ${external_id}`}`
}

export async function count(db: Db, account_id: string, narrowing: UserNarrowing = {}): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count ${people(account_id, narrowing)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Oldest first; a page of them, or all. */
export async function list(
  db: Db,
  account_id: string,
  narrowing: UserNarrowing = {},
  page?: { readonly offset: number; readonly limit: number },
): Promise<DirectoryUser[]> {
  const { rows } = await sql<DirectoryUser>`
    select u.user_id, coalesce(s.user_name, u.email) as user_name, s.external_id, s.attributes, s.parked, m.role,
      u.email, u.name, coalesce(s.created_at, m.created_at) as created_at,
      coalesce(s.updated_at, m.created_at) as updated_at,
      coalesce((select jsonb_agg(jsonb_build_object('group_id', g.group_id, 'display_name', g.display_name)
          order by lower(g.display_name))
        from scim_group_members gm join scim_groups g on g.account_id = gm.account_id and g.group_id = gm.group_id
        where gm.account_id = ${account_id} and gm.user_id = u.user_id), '[]') as groups
    ${people(account_id, narrowing)}
    order by coalesce(s.created_at, m.created_at), u.user_id
    ${page === undefined ? sql`` : sql`limit ${page.limit} offset ${page.offset}`}`.execute(db)
  return rows
}

export async function find(
  db: Db,
  { account_id, user_id }: AccountMemberKey,
): Promise<DirectoryUser | undefined> {
  const [row] = await list(db, account_id, { user_id })
  return row
}

export interface DirectoryFacts extends AccountMemberKey {
  readonly user_name: string
  readonly external_id: string | null
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Writes what the directory says now; parked roles stay. */
export async function put(tx: Db, facts: DirectoryFacts, now: Date): Promise<void> {
  const { attributes, ...row } = facts
  const said = { user_name: row.user_name, external_id: row.external_id, attributes: jsonb(attributes) }
  await tx
    .insertInto('scim_users')
    .values({ ...row, ...said, parked: null, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'user_id']).doUpdateSet({ ...said, updated_at: now }),
    )
    .execute()
}

/** Notes that the directory made the person, who has not shown yet that the address is theirs. */
export async function markMade(tx: Db, key: AccountMemberKey): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ made: true })
    .where('account_id', '=', key.account_id)
    .where('user_id', '=', key.user_id)
    .execute()
}

/** True when a directory made the person, who then had no credential at first. */
export async function isMade(db: Db, user_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('scim_users')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('made', '=', true)
    .executeTakeFirst()
  return row !== undefined
}

export async function setParked(tx: Db, key: AccountMemberKey, parked: ParkedRoles | null): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ parked: parked === null ? null : jsonb(parked) })
    .where('account_id', '=', key.account_id)
    .where('user_id', '=', key.user_id)
    .execute()
}

export async function remove(tx: Db, key: AccountMemberKey): Promise<void> {
  await tx
    .deleteFrom('scim_users')
    .where('account_id', '=', key.account_id)
    .where('user_id', '=', key.user_id)
    .execute()
}

/** Changes the person's name on the whole platform, so only while they belong to no other account. */
export async function renamePerson(
  tx: Db,
  { account_id, user_id }: AccountMemberKey,
  name: string,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ name })
    .where('user_id', '=', user_id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('account_members')
            .select('user_id')
            .whereRef('account_members.user_id', '=', 'users.user_id')
            .where('account_id', '<>', account_id),
        ),
      ),
    )
    .execute()
}

/** Live sessions that a person has created in an account. */
export async function listLiveSessions(db: Db, { account_id, user_id }: AccountMemberKey): Promise<string[]> {
  const rows = await db
    .selectFrom('project_sessions')
    .select('session_id')
    .where('account_id', '=', account_id)
    .where('created_by', '=', user_id)
    .where('status', 'in', liveSessionStatuses)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ session_id }) => session_id)
}
