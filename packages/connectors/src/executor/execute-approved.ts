import { connectorCalls } from '@svc/db'
import { type RunContext, runAttempt } from './run-call.ts'

/** Carries out a call that was approved: the job. A second run finds nothing to do. */
export async function executeApproved(
  ctx: RunContext,
  { call_id }: { readonly call_id: string },
): Promise<void> {
  const found = await connectorCalls.find(ctx.db, call_id)
  if (found?.status !== 'approved') return
  const attempt_id = ctx.newId()
  const claimed = await connectorCalls.apply(ctx.db, call_id, 'claim', ctx.now(), {
    set: { attempt_id, fence: found.fence + 1, started_at: ctx.now(), sent_at: null },
  })
  if (claimed !== undefined) await runAttempt(ctx, call_id, attempt_id)
}
