import type { Unpaid } from '@svc/app'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * The refusal of billing for the account of an app `a`, as JSON: null while the account pays, or its plan bills nothing. What
 * running model calls hold does not count: it would end programs whenever many calls run.
 */
export const unpaid = (now: Date) => sql<Unpaid | null>`(
  select json_build_object('code', b.code, 'billing_state', coalesce(k.billing_state, 'none'), 'balance', k.balance_micros,
    'account_id', u.account_id)
  from accounts u
  join plans p on p.tier = u.tier
  left join credit_accounts k on k.account_id = u.account_id
  cross join lateral (select p.monthly_credit_micros > 0 and coalesce(k.granted_month
    < date_trunc('month', ${now}::timestamptz at time zone 'utc')::date, true) as is_due) granted
  cross join lateral (select case
    when p.gateway <> 'managed' then 'subscription_required'
    when k.account_id is null then 'no_account'
    when k.billing_state in ('past_due', 'canceled') or (k.balance_micros <= 0 and not granted.is_due)
      then 'insufficient_credits' end as code) b
  where u.account_id = a.account_id and p.billing = 'credit' and b.code is not null)`

/** Why billing refuses an app; null while its account pays. */
export async function findUnpaid(db: Db, app_id: string, now: Date): Promise<Unpaid | null> {
  const { rows } = await sql<{ readonly unpaid: Unpaid | null }>`
    select ${unpaid(now)} as unpaid from apps a where a.app_id = ${app_id}`.execute(db)
  return rows[0]?.unpaid ?? null
}
