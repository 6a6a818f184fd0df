import type { AccountRole } from '@svc/access'
import type { Selectable } from 'kysely'

export const tiers = ['free', 'team', 'enterprise', 'self_host'] as const
export type Tier = (typeof tiers)[number]

export interface AccountTable {
  account_id: string
  name: string
  tier: Tier
  created_at: Date
}

export interface UserTable {
  user_id: string
  email: string
  name: string
  created_at: Date
}

export interface AccountMemberTable {
  account_id: string
  user_id: string
  role: AccountRole
  created_at: Date
}

export type AccountRow = Selectable<AccountTable>
export type UserRow = Selectable<UserTable>
