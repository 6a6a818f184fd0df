import type { ProjectRole } from '@svc/access'
import type { Insertable } from 'kysely'
import type { Db } from '../database.ts'
import type { AccountMemberKey } from '../accounts/members.ts'
import type { ProjectMemberTable } from './projects.table.ts'

export interface ProjectMember {
  readonly user_id: string
  readonly name: string
  /** Null for a service account. */
  readonly email: string | null
  readonly type: 'user' | 'service'
  readonly role: ProjectRole
  readonly role_id: string | null
  readonly created_at: Date
}

export interface Assignment extends ProjectMember {
  readonly project_id: string
}

interface MemberRow extends Omit<ProjectMember, 'type'> {
  readonly project_id: string
  readonly service_account_id: string | null
}

function roles(db: Db) {
  return db
    .selectFrom('project_members')
    .innerJoin('users', 'users.user_id', 'project_members.user_id')
    .leftJoin('service_accounts', 'service_accounts.service_account_id', 'users.user_id')
    .select([
      'project_members.project_id',
      'users.user_id',
      'users.name',
      'users.email',
      'service_account_id',
      'project_members.role',
      'project_members.role_id',
      'project_members.created_at',
    ])
    .orderBy('project_members.created_at')
    .orderBy('users.user_id')
}

/** A service account has no address of its own. */
function memberOf({ service_account_id, ...row }: MemberRow): Assignment {
  return service_account_id === null ? { ...row, type: 'user' } : { ...row, email: null, type: 'service' }
}

export async function list(db: Db, project_id: string): Promise<ProjectMember[]> {
  const rows = await roles(db).where('project_members.project_id', '=', project_id).execute()
  return rows.map(memberOf)
}

export interface ProjectMemberKey {
  readonly project_id: string
  readonly user_id: string
}

export async function find(db: Db, key: ProjectMemberKey): Promise<ProjectMember | undefined> {
  const row = await roles(db)
    .where('project_members.project_id', '=', key.project_id)
    .where('users.user_id', '=', key.user_id)
    .executeTakeFirst()
  return row && memberOf(row)
}

/** True when the id is that of a person or a service account of this account. */
export async function belongsTo(db: Db, { account_id, user_id }: AccountMemberKey): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('users.user_id')
    .where('users.user_id', '=', user_id)
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('account_members')
            .select('account_members.user_id')
            .whereRef('account_members.user_id', '=', 'users.user_id')
            .where('account_members.account_id', '=', account_id),
        ),
        eb.exists(
          eb
            .selectFrom('service_accounts')
            .select('service_account_id')
            .whereRef('service_account_id', '=', 'users.user_id')
            .where('service_accounts.account_id', '=', account_id)
            .where('deleted_at', 'is', null),
        ),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

export async function insert(tx: Db, member: Insertable<ProjectMemberTable>): Promise<void> {
  await tx.insertInto('project_members').values(member).execute()
}

export async function set(
  tx: Db,
  member: ProjectMemberKey & {
    readonly role: ProjectRole
    readonly role_id: string | null
    readonly created_at: Date
  },
): Promise<void> {
  const { role, role_id } = member
  await tx
    .insertInto('project_members')
    .values(member)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'user_id']).doUpdateSet({ role, role_id, from_directory: false }),
    )
    .execute()
}

export async function remove(tx: Db, key: ProjectMemberKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('project_members')
    .where('project_id', '=', key.project_id)
    .where('user_id', '=', key.user_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Every role on every active project of the account. */
export async function listAssignments(db: Db, account_id: string): Promise<Assignment[]> {
  const rows = await roles(db)
    .innerJoin('projects', 'projects.project_id', 'project_members.project_id')
    .where('projects.account_id', '=', account_id)
    .where('projects.status', '=', 'active')
    .execute()
  return rows.map(memberOf)
}
