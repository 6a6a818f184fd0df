import { uuidPattern } from '@svc/facts'
import type { BillingState, Tier } from '@svc/facts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { AccountRow, Suspension } from '../accounts/accounts.table.ts'
import type { PlanRow } from '../accounts/plans.ts'
import type { Db } from '../database.ts'
import { live } from '../kit/live.ts'

/** An account as an operator sees it. */
export interface OperatedAccount extends Suspension {
  readonly account_id: string
  readonly name: string
  readonly tier: Tier
  readonly plan: PlanRow
  /** Null where it has no credit, as the balance. */
  readonly billing_state: BillingState | null
  readonly balance: number | null
  /** The cost of its calls of this month. */
  readonly month_cost_micros: number
  readonly members: number
  readonly projects: number
  readonly live_sessions: number
  readonly limits: {
    readonly live_sessions: number | null
    readonly projects: number | null
    readonly storage_mb: number | null
  }
  /** Decisions for all of its projects, by feature. */
  readonly features: Readonly<Record<string, boolean>>
  readonly created_at: Date
}

export interface AllAccountsFilter {
  /** An account's id, a part of its name, or the address of a member. */
  readonly q?: string | undefined
  readonly tier?: Tier | undefined
  readonly account_id?: string | undefined
}

export interface AllAccountsPosition {
  readonly name: string
  readonly account_id: string
}

/** By name, along `accounts_by_name`; what an account has is counted for the page alone. */
export async function list(
  db: Db,
  query: AllAccountsFilter & { readonly after?: AllAccountsPosition | undefined; readonly limit: number },
): Promise<OperatedAccount[]> {
  const rows = await db
    .selectFrom('accounts as a')
    .leftJoin('credit_accounts as c', 'c.account_id', 'a.account_id')
    .select(['c.billing_state', 'c.balance_micros as balance'])
    .select([plan.as('plan'), monthCost.as('month_cost_micros')])
    .select(['a.account_id', 'a.name', 'a.tier', 'a.suspended_at', 'a.suspended_reason', 'a.created_at'])
    .select(['a.limit_live_sessions', 'a.limit_projects', 'a.limit_storage_mb'])
    .select([members.as('members'), projects.as('projects'), liveSessions.as('live_sessions')])
    .select(decided.as('features'))
    .where((eb) => eb.and(conditionsOf(query)))
    .orderBy('a.name')
    .orderBy('a.account_id')
    .limit(query.limit)
    .execute()
  return rows.map(({ limit_live_sessions, limit_projects, limit_storage_mb, ...row }) => ({
    ...row,
    limits: {
      live_sessions: limit_live_sessions,
      projects: limit_projects,
      storage_mb: limit_storage_mb,
    },
  }))
}

export async function find(db: Db, account_id: string): Promise<OperatedAccount | undefined> {
  const [account] = await list(db, { account_id, limit: 1 })
  return account
}

/** The row that a change of an operator starts from; it stays locked until the transaction ends. */
export async function lock(tx: Db, account_id: string): Promise<AccountRow | undefined> {
  return tx
    .selectFrom('accounts')
    .selectAll()
    .where('account_id', '=', account_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function isMember(
  db: Db,
  { account_id, user_id }: { readonly account_id: string; readonly user_id: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('account_members')
    .select('user_id')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined
}

const plan = sql<PlanRow>`(select to_jsonb(p) from plans p where p.tier = a.tier)`
const month = sql`date_trunc('month', now(), 'UTC')`
const monthCost = sql<number>`((select coalesce(sum(g.cost_micros), 0) from gateway_calls g
    where g.account_id = a.account_id and g.at >= ${month})
  + (select coalesce(sum(d.cost_micros), 0) from gateway_spend_days d
    where d.account_id = a.account_id and d.day >= (${month} at time zone 'UTC')::date))::bigint`
const members = sql<number>`(select count(*)::integer from account_members m where m.account_id = a.account_id)`
const projects = sql<number>`(select count(*)::integer from projects p
  where p.account_id = a.account_id and p.status = 'active')`
const liveSessions = sql<number>`(select count(*)::integer from project_sessions s where s.account_id = a.account_id
  and s.status in ${live} and s.deleted_at is null and s.origin <> 'system')`
const decided = sql<Record<string, boolean>>`(select coalesce(jsonb_object_agg(f.feature, f.enabled), '{}')
  from account_features f where f.account_id = a.account_id)`

function conditionsOf({
  q,
  tier,
  account_id,
  after,
}: AllAccountsFilter & { readonly after?: AllAccountsPosition | undefined }): Expression<SqlBool>[] {
  return [
    ...(q === undefined ? [] : [matches(q)]),
    ...(tier === undefined ? [] : [sql<boolean>`a.tier = ${tier}`]),
    ...(account_id === undefined ? [] : [sql<boolean>`a.account_id = ${account_id}`]),
    ...(after === undefined
      ? []
      : [sql<boolean>`(a.name, a.account_id) > (${after.name}, ${after.account_id}::uuid)`]),
  ]
}

function matches(q: string): Expression<SqlBool> {
  const part = `%${q.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const by_id = uuidPattern.test(q) ? sql`a.account_id = ${q} or` : sql``
  return sql<boolean>`(${by_id} a.name ilike ${part} or exists (
    select from account_members m join users u using (user_id)
    where m.account_id = a.account_id and lower(u.email) = lower(${q})))`
}
