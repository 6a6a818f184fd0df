import { appLines, appMinutes, appReleases, appRollouts, apps, appVisits, owedApps } from '@svc/db'
import { appLimits, type Working } from '../context.ts'

const batch = 500
/** Work that had no sign of life for this long gets a job again. */
const quietMs = 10_000
const eventDays = 30
/** A job with a delay, however short, is another one than that of a worker that died. */
const beside = { delay_ms: 1 }

/** Asks again for what rows owe: default branches that moved, releases and moves that nothing works on. */
export async function sweepApps(ctx: Pick<Working, 'db' | 'now' | 'enqueue'>): Promise<number> {
  const quiet_since = new Date(ctx.now().getTime() - quietMs)
  const [unread, releases, rollouts] = await Promise.all([
    owedApps.listUnread(ctx.db, batch),
    appReleases.listOwed(ctx.db, quiet_since, batch),
    appRollouts.listOwed(ctx.db, quiet_since, batch),
  ])
  for (const project_id of unread) await ctx.enqueue('app', 'apps.reconcile', { project_id }, beside)
  for (const release_id of releases) await ctx.enqueue('app', 'app.release', { release_id }, beside)
  for (const rollout_id of rollouts) await ctx.enqueue('app', 'app.rollout', { rollout_id }, beside)
  return unread.length + releases.length + rollouts.length
}

const lineBatch = 20_000

/** Forgets ways in that are over, old events and figures, and lines of programs that are kept no longer. */
export async function sweepAppHistory(ctx: Pick<Working, 'db' | 'now'>): Promise<number> {
  const now = ctx.now()
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000)
  let removed = await appVisits.removeExpired(ctx.db, now, batch)
  removed += await apps.removeEvents(ctx.db, before(eventDays), batch)
  removed += await appMinutes.removeBefore(ctx.db, before(appLimits.minuteDays), lineBatch)
  removed += await appLines.removeBefore(ctx.db, before(appLimits.lineDays), lineBatch)
  return removed + (await appLines.removeBeyond(ctx.db, appLimits.lines, lineBatch))
}
