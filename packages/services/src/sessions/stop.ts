import { audited, type Context } from '@svc/context'
import { sessions } from '@svc/db'
import { ofSession } from './audit.ts'
import { drainSandbox } from '../sandboxes/drain.ts'
import { endInside } from './end-session.ts'
import { getSessionRow, requireSession, type SessionInput } from './find-session.ts'
import { shownSession } from './shown.ts'
import { waitForSession } from './wait.ts'

const stopWaitMs = 10_000

/**
 * Lets the sandbox save its work and end its turn, for a bounded time. Answers once its processes have ended, or says
 * in `runtime_status` that they have not yet.
 */
export async function stopSession(
  ctx: Pick<
    Context,
    | 'db'
    | 'principal'
    | 'now'
    | 'newId'
    | 'trail'
    | 'enqueue'
    | 'listener'
    | 'signal'
    | 'vault'
    | 'log'
    | 'metrics'
  >,
  input: SessionInput,
) {
  const { session } = await requireSession(ctx, input, 'project.session.stop')
  await drainSandbox(ctx, session, 'The session was stopped during this turn')
  const { session_id } = session
  const entry = ofSession('stopSession', session)
  if (await audited(ctx, entry, (tx) => endInside(ctx, tx, session_id, 'user'))) {
    await ctx.enqueue('session', 'sandbox.stop', { session_id })
    await waitForSession({
      ...ctx,
      session_id,
      timeout_ms: stopWaitMs,
      check: async () => {
        const now = await sessions.find(ctx.db, input)
        // A caller who started it again meanwhile has the last word.
        if (now?.status !== 'stopped') return true
        return now.runtime_status === 'active' || now.runtime_status === 'provisioning' ? undefined : true
      },
    })
  }
  return shownSession(ctx, await getSessionRow(ctx, input))
}
