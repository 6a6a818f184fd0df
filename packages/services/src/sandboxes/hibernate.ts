import { sandboxes, sessions } from '@svc/db'
import { owns } from '@svc/sandbox'
import type { SandboxContext } from '../context.ts'
import { endSession } from '../sessions/end-session.ts'
import { drainSandbox } from './drain.ts'
import { idleQuery } from './idle-query.ts'

/**
 * Stops an idle sandbox, once its provider has said that it runs: one that the provider does not know is left as it
 * is. Idleness is checked again under the lock, since a caller may have begun to use it.
 */
export async function hibernateSandbox(ctx: SandboxContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  const session = await sessions.findById(ctx.db, session_id)
  if (!session || session.external_id === null || !owns(ctx.provider, session.sandbox_provider)) return
  const still = () => ctx.db.transaction().execute((tx) => sandboxes.isIdle(tx, session_id, idleQuery(ctx)))
  if (!(await still())) return
  if ((await ctx.provider.status(session.external_id)) !== 'running') return
  await drainSandbox(ctx, session, 'The session was idle')
  await endSession(ctx, session_id, 'idle', (tx) => sandboxes.isIdle(tx, session_id, idleQuery(ctx)))
}
