import { sessions } from '@svc/db'
import type { Context } from '../context.ts'
import { endSession } from './end-session.ts'
import { getSessionRow, requireSession, type SessionInput } from './find-session.ts'
import { presentSession } from './present.ts'
import { waitForSession } from './wait.ts'

const stopWaitMs = 10_000

/** Answers once the sandbox's processes have ended, or says in `runtime_status` that they have not yet. */
export async function stopSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'enqueue' | 'notifications' | 'signal'>,
  input: SessionInput,
) {
  const { session } = await requireSession(ctx, input, 'project.session.stop')
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
