import { requireWritesOpen } from '@svc/context'
import { connectorApprovals, connectorCalls } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { ConnectorContext } from '../context.ts'
import { type CallKey, requireCall } from './get.ts'
import { logCall } from './log-call.ts'
import { presentCall } from './present.ts'

/** Takes a call back that no executor has yet. Only the one who called does that. */
export async function cancelCall(ctx: ConnectorContext, key: CallKey) {
  requireWritesOpen(ctx)
  const { caller, row } = await requireCall(ctx, key)
  if (row.actor_id !== caller.actor_id)
    throw new ServiceError(
      'not_found',
      'There is no such call of yours; a person denies one of an agent instead',
    )
  const cancelled = await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    const after = await connectorCalls.apply(tx, row.call_id, 'cancel', now, {
      set: { reason: 'call_cancelled', delivery: 'inline', delivered_at: now },
    })
    if (after === undefined) return undefined
    await connectorApprovals.end(tx, row.call_id, 'cancelled')
    await logCall(ctx, tx, after)
    return after
  })
  if (cancelled !== undefined) return presentCall(cancelled)
  const { status } = (await connectorCalls.find(ctx.db, row.call_id)) ?? row
  throw new ServiceError(
    'CALL_NOT_CANCELLABLE',
    status === 'executing'
      ? 'The call is being carried out; wait for its end'
      : `The call is ${status} already; there is nothing to cancel`,
    { status },
  )
}
