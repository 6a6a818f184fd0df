import { appObjects, pastReleases } from '@svc/db'
import { appLimits, type Working } from '../context.ts'
import { objectOf } from '../releases/store-files.ts'

const batch = 200
const dayMs = 86_400_000
/** Longer than a release takes to name what it put, however short the window of backups is. */
const leastMs = 3_600_000

/**
 * Forgets releases that are kept no more, and apps whose entry is gone for long, and removes objects that no release names
 * since `window_ms`: a backup may name them until then. How many rows and objects went.
 */
export async function forgetReleases(
  ctx: Pick<Working, 'db' | 'now' | 'objects'>,
  { window_ms }: { readonly window_ms: number },
): Promise<number> {
  const now = ctx.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const kept = { since: before(appLimits.keptDays * dayMs), ready: appLimits.keptReady }
  const undeclared = before(appLimits.undeclaredDays * dayMs)
  const unnamed = before(Math.max(window_ms, leastMs))
  let count = 0
  for (const release_id of await pastReleases.list(ctx.db, kept, batch))
    if (await ctx.db.transaction().execute((tx) => pastReleases.remove(tx, release_id, kept, now))) count += 1
  for (const app_id of await pastReleases.listForgotten(ctx.db, undeclared, batch))
    if (await ctx.db.transaction().execute((tx) => pastReleases.removeApp(tx, app_id, undeclared, now)))
      count += 1
  for (const sha256 of await appObjects.listUnnamed(ctx.db, unnamed, batch)) {
    const gone = await ctx.db.transaction().execute(async (tx) => {
      if (!(await appObjects.takeUnnamed(tx, sha256, unnamed))) return false
      await ctx.objects.delete(objectOf(sha256))
      return true
    })
    if (gone) count += 1
  }
  return count
}
