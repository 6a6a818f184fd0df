import { audited, type Context } from '@svc/context'
import { limits } from '@svc/contract'
import { sessions } from '@svc/db'
import { ofSession } from './audit.ts'
import { getSessionRow, type SessionInput } from './find-session.ts'
import { shownSession } from './shown.ts'
import { requireKeeper } from './session-access.ts'
import { waitForSession } from './wait.ts'
import { wakeInTransaction } from './wake.ts'

/** Resumes in place and waits until the session runs or has failed. Starting a running session is fine. */
export async function startSession(
  ctx: Pick<
    Context,
    | 'db'
    | 'now'
    | 'enqueue'
    | 'settings'
    | 'maintenance'
    | 'principal'
    | 'newId'
    | 'trail'
    | 'listener'
    | 'signal'
    | 'metrics'
  >,
  input: SessionInput,
) {
  const { session } = await requireKeeper(ctx, input)
  const { session_id } = session
  const woken = await audited(ctx, ofSession('startSession', session), (tx) =>
    wakeInTransaction(ctx, tx, session),
  )
  if (woken) await ctx.enqueue('session', 'sandbox.provision', { session_id })
  await waitForSession({
    ...ctx,
    session_id,
    timeout_ms: limits.startWaitMs,
    check: async () => ((await sessions.find(ctx.db, input))?.status === 'provisioning' ? undefined : true),
  })
  return shownSession(ctx, await getSessionRow(ctx, input))
}
