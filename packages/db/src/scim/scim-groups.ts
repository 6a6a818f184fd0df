import type { ProjectRole } from '@svc/access'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { ScimGroupRow } from './scim.table.ts'

export interface GroupKey {
  readonly account_id: string
  readonly group_id: string
}

export interface GroupMember {
  readonly user_id: string
  readonly name: string
}

export interface GroupProject {
  readonly project_id: string
  readonly role: ProjectRole
}

/** Conditions of a filter on columns, so that the other groups need not be read. */
export interface GroupNarrowing {
  readonly group_id?: string
  /** In any case. */
  readonly display_name?: string
  readonly external_id?: string
}

function narrowed(db: Db, account_id: string, { group_id, display_name, external_id }: GroupNarrowing) {
  let query = db.selectFrom('scim_groups').where('account_id', '=', account_id)
  if (group_id !== undefined) query = query.where('group_id', '=', group_id)
  if (display_name !== undefined)
    query = query.where(sql<boolean>`lower(display_name) = lower(${display_name})`)
  if (external_id !== undefined) query = query.where('external_id', '=', external_id)
  return query
}

export async function count(db: Db, account_id: string, narrowing: GroupNarrowing = {}): Promise<number> {
  const row = await narrowed(db, account_id, narrowing)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Oldest first; a page of them, or all. */
export async function list(
  db: Db,
  account_id: string,
  narrowing: GroupNarrowing = {},
  page?: { readonly offset: number; readonly limit: number },
): Promise<ScimGroupRow[]> {
  let query = narrowed(db, account_id, narrowing).selectAll().orderBy('created_at').orderBy('group_id')
  if (page !== undefined) query = query.limit(page.limit).offset(page.offset)
  return query.execute()
}

export async function find(db: Db, key: GroupKey): Promise<ScimGroupRow | undefined> {
  const [row] = await list(db, key.account_id, { group_id: key.group_id })
  return row
}

/** False: the account has a group of that name. */
export async function insert(
  tx: Db,
  group: GroupKey & Pick<ScimGroupRow, 'display_name' | 'external_id'>,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('scim_groups')
    .values({ ...group, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('group_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Every change is a new version. */
export async function update(
  tx: Db,
  key: GroupKey,
  patch: Partial<Pick<ScimGroupRow, 'display_name' | 'external_id' | 'account_role'>>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('scim_groups')
    .set((eb) => ({ ...patch, version: eb('version', '+', 1), updated_at: now }))
    .where('account_id', '=', key.account_id)
    .where('group_id', '=', key.group_id)
    .execute()
}

export async function remove(tx: Db, key: GroupKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('scim_groups')
    .where('account_id', '=', key.account_id)
    .where('group_id', '=', key.group_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The members of each group, by name. */
export async function listMembers(
  db: Db,
  account_id: string,
  group_ids: readonly string[],
): Promise<ReadonlyMap<string, GroupMember[]>> {
  const found = new Map<string, GroupMember[]>(group_ids.map((group_id) => [group_id, []]))
  if (group_ids.length === 0) return found
  const rows = await db
    .selectFrom('scim_group_members')
    .innerJoin('users', 'users.user_id', 'scim_group_members.user_id')
    .select(['group_id', 'users.user_id', 'users.name'])
    .where('account_id', '=', account_id)
    .where('group_id', 'in', group_ids)
    .orderBy('users.name')
    .orderBy('users.user_id')
    .execute()
  for (const { group_id, user_id, name } of rows) found.get(group_id)?.push({ user_id, name })
  return found
}

/** The number of members of each group. */
export async function countMembers(db: Db, account_id: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('scim_group_members')
    .select(['group_id', (eb) => eb.fn.countAll<number>().as('members')])
    .where('account_id', '=', account_id)
    .groupBy('group_id')
    .execute()
  return new Map(rows.map(({ group_id, members }) => [group_id, members]))
}

/** A foreign key refuses people whom the directory of the account does not know: check first. */
export async function addMembers(tx: Db, key: GroupKey, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return
  await tx
    .insertInto('scim_group_members')
    .values(user_ids.map((user_id) => ({ ...key, user_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function removeMembers(tx: Db, key: GroupKey, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return
  await tx
    .deleteFrom('scim_group_members')
    .where('account_id', '=', key.account_id)
    .where('group_id', '=', key.group_id)
    .where('user_id', 'in', user_ids)
    .execute()
}

/** Roles that the groups of an account give on its projects. */
export async function listProjects(
  db: Db,
  account_id: string,
): Promise<(GroupProject & { readonly group_id: string })[]> {
  return db
    .selectFrom('scim_group_projects')
    .select(['group_id', 'project_id', 'role'])
    .where('account_id', '=', account_id)
    .orderBy('project_id')
    .execute()
}

/** Replaces the roles that the group gives. False: a project is not the account's. */
export async function setProjects(
  tx: Db,
  key: GroupKey,
  projects: readonly GroupProject[],
): Promise<boolean> {
  await tx
    .deleteFrom('scim_group_projects')
    .where('account_id', '=', key.account_id)
    .where('group_id', '=', key.group_id)
    .execute()
  if (projects.length === 0) return true
  const ids = projects.map(({ project_id }) => project_id)
  const own = await tx
    .selectFrom('projects')
    .select('project_id')
    .where('account_id', '=', key.account_id)
    .where('status', '=', 'active')
    .where('project_id', 'in', ids)
    .execute()
  if (own.length < new Set(ids).size) return false
  await tx
    .insertInto('scim_group_projects')
    .values(projects.map((project) => ({ ...key, ...project })))
    .execute()
  return true
}
