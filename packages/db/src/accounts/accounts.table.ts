import type { AccountRole, Entitlement } from '@svc/access'
import type { PlanBilling, PlanGateway, Tier } from '@svc/facts'
import type { Generated, Insertable, Selectable } from 'kysely'

export interface AccountTable {
  account_id: string
  name: string
  tier: Tier
  /** `provider/model` for sessions for which neither request, trigger, agent nor project names one. */
  default_model: Generated<string | null>
  /** Every new key needs an expiry. */
  key_expiry_required: Generated<boolean>
  /** And it may lie this many days ahead at the most. */
  key_max_days: Generated<number | null>
  /** A sign-in without a second factor does not reach the account. */
  mfa_required: Generated<boolean>
  /** Its new projects have the model gateway. */
  gateway_new_projects: Generated<boolean>
  /** Shown to its people in place of the platform's own. */
  brand_name: Generated<string | null>
  /** `#rrggbb`, in lower case. */
  brand_accent: Generated<string | null>
  /** An operator's own for this account, before those of the deployment and of the plan. */
  limit_live_sessions: Generated<number | null>
  limit_projects: Generated<number | null>
  limit_storage_mb: Generated<number | null>
  suspended_at: Generated<Date | null>
  /** The operator's words for those who are refused. */
  suspended_reason: Generated<string | null>
  created_at: Date
}

export interface UserTable {
  user_id: string
  email: string
  name: string
  /** Runs the platform: may change what operators alone may change. */
  platform_admin: Generated<boolean>
  /** Null also for those who are one since before this was kept. */
  platform_admin_since: Generated<Date | null>
  created_at: Date
}

export interface PlanTable {
  tier: Tier
  entitlements: Entitlement[]
  session_cap: number
  /** Use of the model gateway by its projects: none, with keys of their own, or with the operator's. */
  gateway: PlanGateway
  billing: Generated<PlanBilling>
  /** Granted by the first call of a month that the service bills. */
  monthly_credit_micros: Generated<number>
  /** Added to what a call costs when the credit pays it. */
  markup_percent: Generated<number>
}

export interface AccountMemberTable {
  account_id: string
  user_id: string
  role: AccountRole
  /** A group of the directory raised it, and its end lowers it again. */
  from_directory: Generated<boolean>
  created_at: Date
}

export type NewAccount = Insertable<AccountTable>
export type AccountRow = Selectable<AccountTable>
/** Whether an operator suspended the account, and why. */
export type Suspension = Pick<AccountRow, 'suspended_at' | 'suspended_reason'>
export type NewUser = Insertable<UserTable>
export type UserRow = Selectable<UserTable>
