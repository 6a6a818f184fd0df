import type { AccountRole, ProjectRole } from '@svc/access'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** Roles by hand of a person whom the directory deactivated, to be given back. */
export interface ParkedRoles {
  readonly role: AccountRole
  readonly projects: readonly {
    readonly project_id: string
    readonly role: ProjectRole
    readonly role_id: string | null
  }[]
}

export interface ScimUserTable {
  account_id: string
  user_id: string
  user_name: string
  external_id: string | null
  /** The directory made the person: no user had the address before. */
  made: Generated<boolean>
  /** Other attributes from the directory, by the names of RFC 7643. */
  attributes: JSONColumnType<Record<string, unknown>, string, string>
  parked: JSONColumnType<ParkedRoles, string, string> | null
  created_at: Date
  updated_at: Date
}

export interface ScimGroupTable {
  account_id: string
  group_id: string
  display_name: string
  external_id: string | null
  /** The account role that its members have at the least. */
  account_role: Generated<'admin' | 'member'>
  version: Generated<number>
  created_at: Date
  updated_at: Date
}

export interface ScimGroupMemberTable {
  account_id: string
  group_id: string
  user_id: string
}

export interface ScimGroupProjectTable {
  account_id: string
  group_id: string
  project_id: string
  role: ProjectRole
}

export type ScimGroupRow = Selectable<ScimGroupTable>
