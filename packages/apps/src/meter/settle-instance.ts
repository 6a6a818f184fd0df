import { chargesOf, marksCrossed } from '@svc/app'
import { appInstances, type AppInstanceRow, appMonths, appReleases, apps } from '@svc/db'
import { platformRules, type Working } from '../context.ts'

/** Counts what an instance cost up to a moment. A second run of it adds nothing. */
export async function settleInstance(
  ctx: Pick<Working, 'db' | 'now'>,
  instance: AppInstanceRow,
  to: Date | null,
): Promise<void> {
  const { started_at, metered_to, release_id, app_id } = instance
  if (started_at === null || metered_to === null || to === null) return
  const [release, app, rules] = await Promise.all([
    appReleases.find(ctx.db, release_id),
    apps.findById(ctx.db, app_id),
    platformRules(ctx.db),
  ])
  const resources = release?.config.resources
  if (resources === undefined || app === undefined) return
  const { charges, metered_to: until } = chargesOf(
    { started_at, from: metered_to, to },
    resources,
    rules.prices,
  )
  if (charges.length === 0) return
  const cap_micros = app.budget_micros ?? rules.budget_micros
  await ctx.db.transaction().execute(async (tx) => {
    const settled = await appMonths.settle(tx, instance, until, charges)
    if (settled === null || cap_micros === null) return
    for (const { month, before, after } of settled)
      for (const percent of marksCrossed(cap_micros, before, after))
        await apps.record(
          tx,
          app,
          'app.budget',
          { percent, month, cap_micros, spent_micros: after },
          ctx.now(),
        )
  })
}

/** Counts what every instance cost up to its last sign of life. */
export async function settleInstances(ctx: Pick<Working, 'db' | 'now'>): Promise<void> {
  for (const instance of await appInstances.listOwned(ctx.db, 10_000))
    await settleInstance(ctx, instance, instance.seen_at)
}
