import { type Feature, features as known } from '@svc/access'
import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { features } from '@svc/db'
import type { Changing, Looking } from '../context.ts'

/** The features of the whole platform. */
export async function listPlatformFeatures(ctx: Looking) {
  await requirePlatformAdmin(ctx)
  return readFeatures(ctx)
}

async function readFeatures(ctx: Pick<Looking, 'db'>) {
  const decided = await features.listOfPlatform(ctx.db)
  return {
    features: known.map(({ feature, summary, operator_only, default: own }) => {
      const row = decided.find((one) => one.feature === feature)
      const { available = true, enabled_by_default = null } = row ?? {}
      return { feature, summary, available, default: enabled_by_default ?? own, operator_only }
    }),
  }
}

interface FeatureChange {
  readonly available?: boolean | undefined
  readonly default?: boolean | undefined
}

/** Closes features for every project or opens them again, and says which ones projects have by default. */
export async function setPlatformFeatures(
  ctx: Changing,
  input: { readonly features: Readonly<Partial<Record<Feature, FeatureChange | undefined>>> },
) {
  const { user_id: updated_by } = await requirePlatformAdmin(ctx)
  const changes = (Object.keys(input.features) as Feature[]).map((feature) => ({
    feature,
    ...input.features[feature],
  }))
  await ctx.db.transaction().execute(async (tx) => {
    for (const { feature, available, default: enabled_by_default } of changes)
      await features.setForPlatform(tx, {
        ...{ feature, available, enabled_by_default, updated_by },
        updated_at: ctx.now(),
      })
    await recordOperatorAudit(ctx, tx, {
      account_id: null,
      action: 'setPlatformFeatures',
      target: 'admin/features',
      details: Object.fromEntries(changes.map(({ feature, ...change }) => [feature, { ...change }])),
    })
  })
  return readFeatures(ctx)
}
