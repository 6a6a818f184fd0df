import { checkedRows, checkRuns } from '@svc/db'
import { ago, type Check, type CheckContext, type Found, stuckMs } from './check.ts'

const dayMs = 24 * 3_600_000

/**
 * A sandbox of this deployment that no row names, or is about to name: one that is being made is known by its id. It is
 * destroyed only where a run of at least ten minutes before found it as well.
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
    const owned = await ownedSandboxes(ctx, provider, external_ids)
    const found: Found[] = []
    for (const external_id of external_ids) {
      if (owned.has(external_id)) continue
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
          if ((await ownedSandboxes(ctx, provider, [external_id])).has(external_id)) return false
          await provider.destroy(external_id)
          return true
        },
      })
    }
    return found
  },
}

/** Those that are being made are read first: one that is not any more is named by then. */
async function ownedSandboxes(
  { db }: Pick<CheckContext, 'db'>,
  provider: NonNullable<CheckContext['provider']>,
  external_ids: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const making = await checkedRows.sandboxesInMaking(db)
  const named = await checkedRows.namedSandboxes(db, external_ids)
  return new Set([...named, ...making.map((sandbox_id) => provider.identify(sandbox_id))])
}
