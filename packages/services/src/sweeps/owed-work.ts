import { type BaseContext, startsAreOpen } from '@svc/context'
import { manifestEdits, merges, sessionWork } from '@svc/db'
import { sessionLimits } from '@svc/session'

/** Work that is still owed after this long gets a job again: its first one was lost, or failed. */
const quietMs = 10_000
/** Shorter for prompts, since people wait for an answer. */
const promptQuietMs = 2_000
const batch = 500

/**
 * A job of a worker that died is given out again only when its lock has run out, and holds back its like until then.
 * One with a delay, however short, is another one.
 */
const beside = { delay_ms: 1 }

type SweepContext = Pick<BaseContext, 'db' | 'enqueue' | 'now'>

/** Jobs may be lost; rows are not. Enqueues every piece of work that a row owes. */
export async function sweepOwedWork(ctx: SweepContext): Promise<number> {
  const quiet_since = new Date(ctx.now().getTime() - quietMs)
  const [owed, attempts, edits] = await Promise.all([
    sessionWork.listOwed(ctx.db, { quiet_since, limit: batch }),
    merges.listOwedAttempts(ctx.db, quiet_since, batch),
    manifestEdits.listOwed(ctx.db, quiet_since, batch),
  ])
  for (const { job, session_id } of owed) await ctx.enqueue('session', job, { session_id }, beside)
  for (const attempt_id of attempts) await ctx.enqueue('merge', 'change-request.merge', { attempt_id })
  for (const attempt_id of edits) await ctx.enqueue('merge', 'manifest.edit', { attempt_id })
  return owed.length + attempts.length + edits.length
}

/** Prompts that wait for a sandbox which runs, or which is to be woken for them. */
export async function sweepUndelivered(
  ctx: SweepContext & Pick<BaseContext, 'maintenance'>,
): Promise<number> {
  if (!startsAreOpen(ctx)) return 0
  const quiet_since = new Date(ctx.now().getTime() - promptQuietMs)
  const query = { quiet_since, wakes: sessionLimits.wakesAfterExit, limit: batch }
  const owed = await sessionWork.listUndelivered(ctx.db, query)
  for (const session_id of owed) await ctx.enqueue('session', 'prompts.deliver', { session_id }, beside)
  return owed.length
}

/** Sandboxes that run and do not have the secrets of today: several writes in a row are one piece of work. */
export async function sweepOwedSecrets(ctx: SweepContext): Promise<number> {
  const owed = await sessionWork.listOwedSecrets(ctx.db, batch)
  for (const session_id of owed) await ctx.enqueue('session', 'sandbox.secrets', { session_id }, beside)
  return owed.length
}
