import { type Context, requireStartsOpen } from '@svc/context'
import { type Db, sandboxes, sessions } from '@svc/db'
import { requireRoom } from './creation/cap.ts'
import { changeStatus } from './change-status.ts'

export type Sleeper = Pick<sessions.SessionView, 'session_id' | 'account_id'>

/** `asked`: for a prompt or a start. `owed`: for the work of a session that ended by itself; such wakes in a row are counted. */
type WakeReason = 'asked' | 'owed'

/** Asks for the sandbox of a session that sleeps; a live one is left alone. */
export async function wakeSession(
  ctx: Pick<Context, 'db' | 'now' | 'enqueue' | 'settings' | 'maintenance' | 'metrics'>,
  session: Sleeper,
  reason: WakeReason = 'asked',
): Promise<void> {
  const { session_id } = session
  const woken = await ctx.db.transaction().execute((tx) => wakeInTransaction(ctx, tx, session, reason))
  if (woken) await ctx.enqueue('session', 'sandbox.provision', { session_id })
}

/** The rows of it; true when the caller owes the session a job once the transaction has ended. */
export async function wakeInTransaction(
  ctx: Pick<Context, 'now' | 'settings' | 'maintenance' | 'metrics'>,
  tx: Db,
  session: Sleeper,
  reason: WakeReason = 'asked',
): Promise<boolean> {
  await requireRoomToWake(ctx, tx, session)
  // One that falls asleep at this very moment is woken too, and has the room that it had.
  await sessions.lock(tx, session.session_id)
  return wakeLocked(ctx, tx, session.session_id, reason)
}

/** Refuses when the session sleeps and nothing starts now, or its account has no place for it. Asked before the session's row is locked. */
export async function requireRoomToWake(
  ctx: Pick<Context, 'settings' | 'maintenance'>,
  tx: Db,
  { session_id, account_id }: Sleeper,
): Promise<void> {
  const current = await sessions.findById(tx, session_id)
  if (current?.status !== 'stopped' && current?.status !== 'failed') return
  requireStartsOpen(ctx)
  await requireRoom(tx, ctx.settings, account_id)
}

/** Wakes a session whose row this transaction holds; false when it does not sleep. */
export async function wakeLocked(
  ctx: Pick<Context, 'now' | 'metrics'>,
  tx: Db,
  session_id: string,
  reason: WakeReason = 'asked',
): Promise<boolean> {
  const started = await changeStatus(ctx, tx, session_id, 'start', {})
  if (!started) return false
  await sessions.countWake(tx, session_id, reason === 'owed' ? started.wakes_after_exit + 1 : 0)
  await sandboxes.apply(tx, session_id, 'resume', {}, ctx.now())
  return true
}
