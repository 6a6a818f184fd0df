import { checkedRows } from '@svc/db'
import type { Check, CheckContext, Found } from './check.ts'

/** A session that runs, and its provider knows for certain that its sandbox does not. */
export const sandboxLost: Check = {
  name: 'sandbox_lost',
  worker: 'session',
  of: 'project',
  run: async (ctx, scope) => {
    const found: Found[] = []
    for (const row of await checkedRows.runningSandboxes(ctx.db, scope)) {
      ctx.signal.throwIfAborted()
      const status = isKnown(ctx, row) ? await ctx.provider?.status(row.external_id) : undefined
      if (status !== 'removed' && status !== 'stopped') continue
      const { session_id, project_id } = row
      found.push({
        severity: 'error',
        project_id,
        subject: `sessions/${session_id}`,
        message: `The session is running, and its sandbox is ${status}`,
        repair: async () => {
          await ctx.enqueue('session', 'sandbox.check', { session_id })
          return true
        },
      })
    }
    return found
  },
}

/** Sandboxes of another machine, or of a provider that was there before, are not this worker's to judge. */
function isKnown(
  { provider, machine: here }: CheckContext,
  { provider: made_by, machine }: checkedRows.RunningSandbox,
): boolean {
  if (provider === undefined || made_by === null) return false
  const is_own = made_by === provider.name || (provider.members ?? []).includes(made_by)
  return is_own && (machine === null || here === undefined || machine === here)
}
