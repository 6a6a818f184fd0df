import { checkedRows, checkRuns } from '@svc/db'
import { ago, type Check, type Found, stuckMs } from './check.ts'

const dayMs = 24 * 3_600_000

/**
 * A sandbox of this deployment that no row names. One that is being made is not named yet: it is destroyed only where a run
 * of at least ten minutes before found it as well, and no row is about to name one.
 */
export const sandboxOrphan: Check = {
  name: 'sandbox_orphan',
  worker: 'session',
  of: 'platform',
  run: async (ctx) => {
    const { provider, db } = ctx
    if (provider === undefined) return []
    // The rows are read after the list: a sandbox that is made meanwhile is not on it.
    const external_ids = await provider.list()
    const named = await checkedRows.namedSandboxes(db, external_ids)
    const found: Found[] = []
    for (const external_id of external_ids) {
      if (named.has(external_id)) continue
      const status = await provider.status(external_id)
      if (status !== 'running' && status !== 'stopped') continue
      const subject = `sandboxes/${external_id}`
      found.push({
        severity: 'warning',
        project_id: null,
        subject,
        message: `The sandbox is ${status} and belongs to no session; a repair destroys it ten minutes after it was first found`,
        repair: async () => {
          const first = await checkRuns.firstFound(db, { check: 'sandbox_orphan', subject }, ago(ctx, dayMs))
          if (first === null || first > ago(ctx, stuckMs)) return false
          if (await checkedRows.isMakingSandboxes(db)) return false
          if ((await checkedRows.namedSandboxes(db, [external_id])).size > 0) return false
          await provider.destroy(external_id)
          return true
        },
      })
    }
    return found
  },
}
