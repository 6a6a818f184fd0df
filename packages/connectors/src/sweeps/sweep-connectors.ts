import { connectorApprovals, connectorAuthorizations, connectorCalls } from '@svc/db'
import { eachOf } from '@svc/errors'
import { enqueueOwed } from '@svc/services'
import { endSignIn } from '../authorizations/end.ts'
import { deliverLocked } from '../calls/deliver.ts'
import { logCall } from '../calls/log-call.ts'
import type { ExecutorContext } from '../context.ts'
import { requireProjectRow } from '../executor/target.ts'

const atOnce = 50

/** Ends approvals whose time is over, and tells their sessions; how many there were. */
export async function expireApprovals(ctx: ExecutorContext): Promise<number> {
  const expired = await connectorApprovals.listExpired(ctx.db, ctx.now(), atOnce)
  return eachOf(expired, (call_id) => expireOne(ctx, call_id))
}

async function expireOne(ctx: ExecutorContext, call_id: string): Promise<void> {
  const jobs = await ctx.db.transaction().execute(async (tx) => {
    if (!(await connectorApprovals.end(tx, call_id, 'expired'))) return []
    const row = await connectorCalls.apply(tx, call_id, 'expire', ctx.now(), {
      set: { reason: 'approval_expired' },
    })
    if (row === undefined) return []
    await logCall(ctx, tx, row)
    return deliverLocked(ctx, tx, await requireProjectRow(ctx, row.project_id), row, 'ended')
  })
  await enqueueOwed(ctx, jobs)
}

/** Ends approvals that wait for sessions which were deleted; how many there were. */
export async function cancelOrphaned(ctx: ExecutorContext): Promise<number> {
  const orphaned = await connectorApprovals.listOrphaned(ctx.db, atOnce)
  return eachOf(orphaned, (call_id) =>
    ctx.db.transaction().execute(async (tx) => {
      if (!(await connectorApprovals.end(tx, call_id, 'cancelled'))) return
      await connectorCalls.apply(tx, call_id, 'cancel', ctx.now(), { set: { reason: 'call_cancelled' } })
    }),
  )
}

/** Ends sign-ins that were not finished in time; how many there were. */
export async function expireSignIns(ctx: ExecutorContext): Promise<number> {
  const overdue = await connectorAuthorizations.listOverdue(ctx.db, ctx.now(), atOnce)
  return eachOf(overdue, (row) =>
    ctx.db.transaction().execute((tx) =>
      endSignIn(tx, row, {
        status: 'expired',
        error: 'It was not finished within 10 minutes; begin it again',
        now: ctx.now(),
      }),
    ),
  )
}

/** Sends results that no caller took in time as messages; how many there were. */
export async function deliverOwed(ctx: ExecutorContext): Promise<number> {
  const owed = await connectorCalls.listUndelivered(ctx.db, ctx.now(), atOnce)
  return eachOf(owed, async (call_id) => {
    const jobs = await ctx.db.transaction().execute(async (tx) => {
      const row = await connectorCalls.lock(tx, call_id)
      // Taken meanwhile, by one who has the time now to bring it.
      const owed_at = row?.delivery_owed_at ?? null
      if (row === undefined || owed_at === null || owed_at > ctx.now()) return []
      if (row.delivered_at !== null) return []
      ctx.metrics.count('svc_connector_repairs_total', { repair: 'delivery' })
      const jobs = await deliverLocked(ctx, tx, await requireProjectRow(ctx, row.project_id), row, 'ended')
      // A session that is gone hears of nothing.
      if (jobs.length === 0) await connectorCalls.markDelivered(tx, call_id, 'prompt', ctx.now())
      return jobs
    })
    await enqueueOwed(ctx, jobs)
  })
}

const dayMs = 86_400_000
const keptDays = { delivered: 1, undelivered: 7 } as const

/** Forgets arguments and results a day after they were delivered, at the latest a week after the end, and the oldest of the ledger. */
export async function sweepCalls(ctx: ExecutorContext): Promise<number> {
  const now = ctx.now().getTime()
  const ago = (days: number) => new Date(now - days * dayMs)
  const erased = await connectorCalls.eraseBodies(
    ctx.db,
    { delivered_before: ago(keptDays.delivered), ended_before: ago(keptDays.undelivered) },
    1000,
  )
  const { call_days } = ctx.connector_settings
  return erased + (await connectorCalls.removeEnded(ctx.db, ago(call_days), 1000))
}
