import type { BaseContext } from '@svc/context'

/** A job that a transaction owes a session once it has ended. */
export interface OwedJob {
  readonly session_id: string
  readonly job: 'sandbox.provision' | 'prompts.deliver'
}

/** Jobs only say that rows are owed work; a sweep finds those whose job was lost. */
export async function enqueueOwed(
  ctx: Pick<BaseContext, 'enqueue'>,
  jobs: readonly OwedJob[],
): Promise<void> {
  for (const { job, session_id } of jobs) await ctx.enqueue('session', job, { session_id })
}
