import type { Feature } from '@svc/access'
import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { allAccounts, features } from '@svc/db'
import type { Changing } from '../context.ts'
import { noSuchAccount, readAccount } from './accounts.ts'

interface FeaturesInput {
  readonly account_id: string
  /** Null leaves it to the platform's default again. */
  readonly features: Readonly<Partial<Record<Feature, boolean | null | undefined>>>
}

/** Decides features for every project of an account that has no decision of its own; all of them or none. */
export async function setAccountFeatures(ctx: Changing, { account_id, features: asked }: FeaturesInput) {
  const { user_id: updated_by } = await requirePlatformAdmin(ctx)
  const changes = (Object.keys(asked) as Feature[]).flatMap((feature) => {
    const enabled = asked[feature]
    return enabled === undefined ? [] : [{ feature, enabled }]
  })
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await allAccounts.lock(tx, account_id))) throw noSuchAccount()
    for (const { feature, enabled } of changes)
      await (enabled === null
        ? features.unsetForAccount(tx, { account_id, feature })
        : features.setForAccount(tx, { account_id, feature, enabled, updated_by, updated_at: ctx.now() }))
    await recordOperatorAudit(ctx, tx, {
      account_id,
      action: 'setAccountFeatures',
      target: `admin/accounts/${account_id}/features`,
      details: Object.fromEntries(changes.map(({ feature, enabled }) => [feature, enabled])),
    })
  })
  return readAccount(ctx, account_id)
}
