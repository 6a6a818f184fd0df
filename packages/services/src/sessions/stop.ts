import { sessions } from '@svc/db'
import type { Context } from '../context.ts'
import { drainSandbox } from '../sandboxes/drain.ts'
import { endSession } from './end-session.ts'
import { getSessionRow, requireSession, type SessionInput } from './find-session.ts'
import { presentSession } from './present.ts'
import { waitForSession } from './wait.ts'

const stopWaitMs = 10_000

/**
 * Lets the sandbox save its work and end its turn, for a bounded time. Answers once its processes have ended, or says
 * in `runtime_status` that they have not yet.
 */
export async function stopSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'enqueue' | 'notifications' | 'signal' | 'vault' | 'log'>,
  input: SessionInput,
) {
  const { session } = await requireSession(ctx, input, 'project.session.stop')
  await drainSandbox(ctx, session, 'The session was stopped during this turn')
  if (await endSession(ctx, session.session_id, 'user')) {
    await waitForSession({
      ...ctx,
      session_id: session.session_id,
      timeout_ms: stopWaitMs,
      check: async () => {
        const now = await sessions.find(ctx.db, input)
        // Whoever started it again meanwhile has the last word.
        if (now?.status !== 'stopped') return true
        return now.runtime_status === 'active' || now.runtime_status === 'provisioning' ? undefined : true
      },
    })
  }
  return presentSession(await getSessionRow(ctx, input))
}
