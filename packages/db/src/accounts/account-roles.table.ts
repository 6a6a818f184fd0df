import type { ProjectRole } from '@svc/access'
import type { Capability } from '@svc/facts'
import type { Selectable } from 'kysely'

/** A custom role: one of the built-in roles and what it adds to it. */
export interface AccountRoleTable {
  role_id: string
  account_id: string
  name: string
  base_role: ProjectRole
  capabilities: Capability[]
  created_by: string
  created_at: Date
  updated_at: Date
}

export type AccountRoleRow = Selectable<AccountRoleTable>
