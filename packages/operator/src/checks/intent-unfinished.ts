import { checkedRows } from '@svc/db'
import { ago, type Check, stuckMs } from './check.ts'

/** A merge was planned ten minutes ago, and its end is not written. Its run finds out from git which one it was. */
export const intentUnfinished: Check = {
  name: 'intent_unfinished',
  worker: 'merge',
  of: 'project',
  run: async (ctx, { project_id }) => {
    const before = ago(ctx, stuckMs)
    const intents = await checkedRows.unfinishedIntents(ctx.db, { project_id, before })
    return intents.map(({ attempt_id, status, ...intent }) => ({
      severity: 'error' as const,
      project_id: intent.project_id,
      subject: `change-requests/${intent.cr_id}`,
      message: `The move of ${intent.base_ref} to ${intent.commit_sha} was planned and has no end; a merge-worker is to look`,
      ...(status === 'pending' && {
        repair: async () => {
          await ctx.enqueue('merge', 'change-request.merge', { attempt_id })
          return true
        },
      }),
    }))
  },
}
