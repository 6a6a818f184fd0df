import { chargesOf, hourlyMicros, marksCrossed, msUntilSpent } from '@svc/app'
import { appInstances, type AppInstanceRow, appMonths, appReleases, type AppRow, apps } from '@svc/db'
import { platformRules, type Working } from '../context.ts'
import { budgetsOf } from './money.ts'

interface Metered {
  readonly app: AppRow
  readonly hourly_micros: number
}

/** Counts what an instance cost up to a moment. A second run of it adds nothing. Null where nothing of it is counted. */
export async function settleInstance(
  ctx: Pick<Working, 'db' | 'now'>,
  instance: AppInstanceRow,
  to: Date | null,
): Promise<Metered | null> {
  const { started_at, metered_to, release_id, app_id } = instance
  if (started_at === null || metered_to === null || to === null) return null
  const [release, app, rules] = await Promise.all([
    appReleases.find(ctx.db, release_id),
    apps.findById(ctx.db, app_id),
    platformRules(ctx.db),
  ])
  const resources = release?.config.resources
  if (resources === undefined || app === undefined) return null
  const metered = { app, hourly_micros: hourlyMicros(resources, rules.prices) }
  const { charges, metered_to: until } = chargesOf(
    { started_at, from: metered_to, to },
    resources,
    rules.prices,
  )
  if (charges.length === 0) return metered
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
  return metered
}

/** Counts what every instance cost up to its last sign of life. Resolves with the time until the first cap is reached. */
export async function settleInstances(ctx: Pick<Working, 'db' | 'now'>): Promise<number> {
  const running = new Map<string, Metered>()
  for (const instance of await appInstances.listOwned(ctx.db, 10_000)) {
    const one = await settleInstance(ctx, instance, instance.seen_at)
    if (one === null) continue
    const { app_id } = one.app
    const others = running.get(app_id)?.hourly_micros ?? 0
    running.set(app_id, { ...one, hourly_micros: others + one.hourly_micros })
  }
  const all = [...running.values()].map(({ app }) => app)
  const budgets = await budgetsOf(ctx.db, all, ctx.now())
  const left = [...budgets].flatMap(([app_id, { cap_micros, spent_micros }]) => {
    // One that is reached already is no news.
    if (spent_micros >= cap_micros) return []
    return [msUntilSpent(cap_micros - spent_micros, running.get(app_id)?.hourly_micros ?? 0)]
  })
  return Math.min(...left)
}
