import { limits } from '@svc/contract'
import { type Db, sandboxes, sessions } from '@svc/db'
import { audited } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { ofSession } from './audit.ts'
import { requireRoom } from './cap.ts'
import { changeStatus } from './change-status.ts'
import { getSessionRow, type SessionInput } from './find-session.ts'
import { presentSession } from './present.ts'
import { requireKeeper } from './session-access.ts'
import { waitForSession } from './wait.ts'

type WakeContext = Pick<Context, 'db' | 'now' | 'enqueue' | 'settings'>

/** Resumes in place and waits until the session runs or has failed. Starting a running session is fine. */
export async function startSession(
  ctx: WakeContext & Pick<Context, 'principal' | 'newId' | 'trail' | 'notifications' | 'signal'>,
  input: SessionInput,
) {
  const { session } = await requireKeeper(ctx, input)
  const { session_id } = session
  const woken = await audited(ctx, ofSession('startSession', session), (tx) => wakeInside(ctx, tx, session))
  if (woken) await ctx.enqueue('session', 'sandbox.provision', { session_id })
  await waitForSession({
    ...ctx,
    session_id,
    timeout_ms: limits.startWaitMs,
    check: async () => ((await sessions.find(ctx.db, input))?.status === 'provisioning' ? undefined : true),
  })
  return presentSession(await getSessionRow(ctx, input))
}

type Sleeper = Pick<sessions.SessionView, 'session_id' | 'account_id'>

/** `asked`: somebody wants it. `owed`: it ended by itself and has work; how often that happens in a row is counted. */
type WakeReason = 'asked' | 'owed'

/** Asks for the sandbox of a session that sleeps; a live one is left alone. */
export async function wakeSession(
  ctx: WakeContext,
  session: Sleeper,
  reason: WakeReason = 'asked',
): Promise<void> {
  const { session_id } = session
  const woken = await ctx.db.transaction().execute((tx) => wakeInside(ctx, tx, session, reason))
  if (woken) await ctx.enqueue('session', 'sandbox.provision', { session_id })
}

/** The rows of it; true when the caller owes the session a job once the transaction has ended. */
export async function wakeInside(
  ctx: Pick<Context, 'now' | 'settings'>,
  tx: Db,
  { session_id, account_id }: Sleeper,
  reason: WakeReason = 'asked',
): Promise<boolean> {
  const current = await sessions.findById(tx, session_id)
  if (current?.status === 'stopped' || current?.status === 'failed')
    await requireRoom(tx, ctx.settings, account_id)
  // One that falls asleep at this very moment is woken too, and has the room that it had.
  await sessions.lock(tx, session_id)
  const started = await changeStatus(ctx, tx, session_id, 'start')
  if (!started) return false
  await sessions.countWake(tx, session_id, reason === 'owed' ? started.wakes_after_exit + 1 : 0)
  await sandboxes.resume(tx, session_id, ctx.now())
  return true
}
