import { type Context, recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { type PlanRow, plans } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { builtInTiers } from '@svc/facts'

type Asking = Pick<Context, 'db' | 'principal' | 'trail'>
type Changing = Asking & Pick<Context, 'now' | 'newId'>

/** Every plan, the smallest first. */
export async function listPlans(ctx: Asking) {
  await requirePlatformAdmin(ctx)
  return { plans: await plans.list(ctx.db) }
}

/** Makes a plan, or changes one: the whole row. */
export async function putPlan(ctx: Changing, plan: PlanRow) {
  await requirePlatformAdmin(ctx)
  const { tier, ...details } = plan
  await ctx.db.transaction().execute(async (tx) => {
    await plans.put(tx, plan)
    await recordOperatorAudit(ctx, tx, {
      ...{ account_id: null, action: 'putPlan', details },
      target: `admin/plans/${tier}`,
    })
  })
  return plan
}

/** Removes a plan that is not built in and that no account has. */
export async function deletePlan(ctx: Changing, { tier }: { readonly tier: string }): Promise<void> {
  await requirePlatformAdmin(ctx)
  if (builtInTiers.some((known) => known === tier))
    throw new ServiceError('conflict', `The plan ${tier} is built in and stays; change it instead`)
  await ctx.db.transaction().execute(async (tx) => {
    const outcome = await plans.remove(tx, tier)
    if (outcome === 'unknown')
      throw new ServiceError('not_found', 'There is no such plan; list the plans again')
    if (outcome === 'used')
      throw new ServiceError('conflict', `Accounts have the plan ${tier}; give them another one first`)
    await recordOperatorAudit(ctx, tx, {
      ...{ account_id: null, action: 'deletePlan', details: {} },
      target: `admin/plans/${tier}`,
    })
  })
}
