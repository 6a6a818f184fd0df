import type { CallEvent } from '@svc/connector'
import { callAttempts, type callReads, type ConnectorCallRow, type ProjectRow } from '@svc/db'
import { enqueueOwed } from '@svc/services'
import type { ExecutorContext } from '../context.ts'
import { deliverLocked } from './deliver.ts'
import { callEntry } from './log-call.ts'
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

/** The caller of the call that runs, as the process knows that has both. */
export interface CallerHere {
  /** Whether it is there to take the answer. */
  readonly waits: boolean
  /** The parts that the gate let the call in by, once its row is written; undefined where it is not. */
  readonly parts?: Promise<callReads.CallParts | undefined>
}

/**
 * Writes the end of an attempt in one transaction: the status, the sealed result, the event, and either the word that the
 * caller who waits has it, or the message. Undefined when another attempt has the call by now.
 */
export async function finishCall(
  ctx: ExecutorContext,
  project: ProjectRow,
  call: ConnectorCallRow,
  { event, result, reason, message, upstream_status = null, bytes_out = 0, bytes_in = 0 }: AttemptEnd,
  here?: CallerHere,
): Promise<ConnectorCallRow | undefined> {
  const now = ctx.now()
  const { call_id, attempt_id, session_id, started_at, waited_until } = call
  const waits = session_id !== null && waited_until !== null && waited_until > now
  const ms = started_at === null ? null : now.getTime() - started_at.getTime()
  const end = {
    ...{ call_id, attempt_id, session_id, event },
    set: {
      ...{ reason, message, upstream_status, bytes_out, bytes_in, ms },
      sealed_result: result === undefined ? null : sealBody(ctx, project, call, 'result', result),
      delivery: waits ? (here?.waits === true ? ('inline' as const) : ('owed' as const)) : null,
      delivery_owed_at: waits ? new Date(now.getTime() + takeMs) : null,
    },
    logged: callEntry({ ...call, status: callAttempts.endOf(event), reason, ms }),
  }
  const done =
    waits || session_id === null
      ? { ended: await callAttempts.end(ctx.db, end, now), jobs: [] }
      : await ctx.db.transaction().execute(async (tx) => {
          const ended = await callAttempts.end(tx, end, now)
          return { ended, jobs: ended ? await deliverLocked(ctx, tx, project, ended.row, 'ended') : [] }
        })
  if (done.ended === undefined) return undefined
  const { row, events } = done.ended
  ctx.metrics.count('svc_events_total', {}, events)
  ctx.metrics.count('svc_connector_calls_total', { provider: row.provider, outcome: row.status })
  if (ms !== null) ctx.metrics.observe('svc_connector_call_seconds', { provider: row.provider }, ms / 1000)
  await enqueueOwed(ctx, done.jobs)
  return row
}
