import { appInstances } from '@svc/db'
import type { Running } from '../context.ts'

/**
 * Removes sandboxes of which no row knows, and keeps the images of releases. One that was seen the time before as well is removed: what is just made has
 * its row, but its answer may be on the way. Returns those that were seen now.
 */
export async function removeStrays(ctx: Running, seen_before: ReadonlySet<string>): Promise<Set<string>> {
  const { programs } = ctx.runtime
  if (programs.runs.images) await programs.keep(await appInstances.keptImages(ctx.db))
  const there = await programs.list()
  const owned = new Set<string>()
  for (const { sandbox_id, external_id } of await appInstances.ownedSandboxes(ctx.db)) {
    const known = external_id ?? programs.identify(sandbox_id)
    if (known !== null) owned.add(known)
  }
  const strays = there.filter((external_id) => !owned.has(external_id))
  const again = strays.filter((external_id) => seen_before.has(external_id))
  // One that cannot be reached holds up none of the others, and is tried again.
  const removed = await Promise.allSettled(again.map((external_id) => programs.destroy(external_id)))
  for (const [index, { status, ...why }] of removed.entries())
    if (status === 'rejected')
      ctx.log.warn(
        { err: Object(why).reason, external_id: again[index] },
        'A sandbox of apps was not removed',
      )
  return new Set(strays)
}
