import { type Context, requireAccount } from '@svc/context'
import { credit, plans } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** The plan of an account, and its credit. */
export async function getBilling(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  input: { readonly account_id: string },
) {
  const { account_id, tier } = await requireAccount(ctx, input.account_id, 'admin')
  const [plan, money] = await Promise.all([plans.find(ctx.db, tier), credit.find(ctx.db, account_id)])
  if (plan === undefined)
    throw new ServiceError('not_found', 'The plan of this account was removed; ask the operator for another')
  return {
    ...{ account_id, tier, entitlements: plan.entitlements, gateway: plan.gateway, billing: plan.billing },
    billing_state: money?.billing_state ?? ('none' as const),
    balance: money?.balance_micros ?? null,
    held: money?.held_micros ?? null,
    session_cap: plan.session_cap,
  }
}
