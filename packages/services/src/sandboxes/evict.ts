import { evictions, sessions } from '@svc/db'
import { owns } from '@svc/sandbox'
import type { SandboxContext } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'
import { drainSandbox } from './drain.ts'

const whys = {
  suspended: 'The account was suspended during this turn',
  draining: 'The machine of the sandbox was drained during this turn',
} as const

/**
 * Saves the work of a sandbox that may not stay and stops its session. The reason is asked for again under the lock, since
 * a prompt may have come meanwhile. One that this worker's provider does not know is left to another worker.
 */
export async function evictSandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  const session = await sessions.findById(ctx.db, session_id)
  const why = await evictions.reasonFor(ctx.db, session_id, ctx.now())
  if (!session || why === null) return
  const { external_id } = session
  if (session.status === 'running' && external_id !== null) {
    if (!owns(ctx.provider, session.sandbox_provider)) return
    if ((await ctx.provider.status(external_id)) !== 'running') return
  }
  await drainSandbox(ctx, session, whys[why])
  const still = async (tx: typeof ctx.db) => (await evictions.reasonFor(tx, session_id, ctx.now())) !== null
  await endSession(ctx, session_id, 'operator', still)
}
