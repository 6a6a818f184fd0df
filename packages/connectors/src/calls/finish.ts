import type { CallEvent } from '@svc/connector'
import { connectorCalls, type ConnectorCallRow, type ProjectRow } from '@svc/db'
import { enqueueOwed } from '@svc/services'
import type { ExecutorContext } from '../context.ts'
import { deliverLocked } from './deliver.ts'
import { logCall } from './log-call.ts'
import type { CallResult } from './outcome.ts'
import { sealBody } from './sealed.ts'

/** The end of an attempt. */
export interface AttemptEnd {
  readonly event: Extract<CallEvent, 'succeed' | 'fail' | 'lose' | 'refuse'>
  readonly reason: string | null
  readonly message: string | null
  readonly upstream_status?: number | null
  readonly bytes_out?: number
  readonly bytes_in?: number
  readonly result?: CallResult
}

/** The time in which a caller that waits takes the result itself. */
export const takeMs = 10_000

/**
 * Writes the end of an attempt in one transaction: the status, the sealed result, the event, and either the word that the
 * caller who waits has it, or the message. False when another attempt has the call by now.
 */
export async function finishCall(
  ctx: ExecutorContext,
  project: ProjectRow,
  call: ConnectorCallRow,
  { event, result, reason, message, upstream_status = null, bytes_out = 0, bytes_in = 0 }: AttemptEnd,
): Promise<boolean> {
  const now = ctx.now()
  const { call_id, attempt_id, session_id, started_at } = call
  const waits = session_id !== null && call.waited_until !== null && call.waited_until > now
  const done = await ctx.db.transaction().execute(async (tx) => {
    const row = await connectorCalls.apply(tx, call_id, event, now, {
      ...(attempt_id === null ? {} : { attempt_id }),
      set: {
        ...{ reason, message, upstream_status, bytes_out, bytes_in },
        ms: started_at === null ? null : now.getTime() - started_at.getTime(),
        sealed_result: result === undefined ? null : sealBody(ctx, project, call, 'result', result),
        ...(waits ? { delivery: 'owed', delivery_owed_at: new Date(now.getTime() + takeMs) } : {}),
      },
    })
    if (row === undefined) return undefined
    await logCall(ctx, tx, row)
    return { jobs: waits ? [] : await deliverLocked(ctx, tx, project, row, 'ended'), row }
  })
  if (done === undefined) return false
  const { provider, status } = done.row
  ctx.metrics.count('svc_connector_calls_total', { provider, outcome: status })
  if (done.row.ms !== null)
    ctx.metrics.observe('svc_connector_call_seconds', { provider }, done.row.ms / 1000)
  await enqueueOwed(ctx, done.jobs)
  return true
}
