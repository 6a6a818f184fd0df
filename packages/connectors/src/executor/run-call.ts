import type { JsonObject } from '@svc/connector'
import { connections, connectorCalls, type ConnectorCallRow, type HeldLocks, type ProjectRow } from '@svc/db'
import { CallLeft, type UpstreamOutcome, UpstreamRefusal } from '@svc/upstream'
import { connectorOf } from '../connectors/definition.ts'
import { type AttemptEnd, finishCall } from '../calls/finish.ts'
import { unseen } from '../calls/outcome.ts'
import { openBody } from '../calls/sealed.ts'
import type { Executor, ExecutorContext } from '../context.ts'
import { peerOfCall } from './computers.ts'
import { gateAgain } from './gate-again.ts'
import { noteRefused, renewed } from './oauth/renew.ts'
import type { Slots } from './slots.ts'
import { requireProjectRow, targetOf } from './target.ts'

export interface RunContext extends ExecutorContext {
  readonly held: HeldLocks
  readonly slots: Slots
}

/** Another attempt has the call: what this one would do is none of its business any more. */
class AttemptLost extends Error {
  override readonly name = 'AttemptLost'
}

/** The lock that an executor holds as long as it works on a call: free, it died or is done. */
export const callLock = (call_id: string): string => `connector-call:${call_id}`

/** Carries out an attempt that the row names, and writes its end. */
export async function runAttempt(ctx: RunContext, call_id: string, attempt_id: string): Promise<void> {
  const release = await ctx.held.tryHold(callLock(call_id))
  if (release === undefined) return
  let peer: Executor | null = null
  try {
    const call = await connectorCalls.find(ctx.db, call_id)
    if (call?.status !== 'executing' || call.attempt_id !== attempt_id) return
    peer = await peerOfCall(ctx, call)
    if (peer === null) {
      const project = await requireProjectRow(ctx, call.project_id)
      const end = await ctx.slots.within(call, () => carryOut(ctx, project, call, attempt_id))
      if (end !== null) await finishCall(ctx, project, call, end)
    }
  } finally {
    await release()
  }
  await peer?.run({ call_id, attempt_id })
}

/** Null when the attempt was taken over, or is left to another executor. */
async function carryOut(
  ctx: RunContext,
  project: ProjectRow,
  call: ConnectorCallRow,
  attempt_id: string,
): Promise<AttemptEnd | null> {
  const { call_id, sealed_request } = call
  if (sealed_request === null)
    return {
      event: 'fail',
      reason: 'call_cancelled',
      message: 'The arguments were erased before the call ran',
    }
  const { args } = openBody(ctx, project, call, 'request', sealed_request) as { args: JsonObject }
  let sent = false
  try {
    const gate = await gateAgain(ctx, project, call, args)
    // A try of before may have had its effect already, unless it only read.
    const refusedAs = (end: AttemptEnd) => (call.sent_at === null || call.risk === 'read' ? end : lost)
    if ('event' in gate) return refusedAs(gate)
    const { row, action, provider } = gate
    const connection = gate.connection && (await renewed(ctx, gate.connection))
    if (connection?.status === 'expired') return refusedAs(expired(connectorOf(row).name))
    const { timeout_seconds } = connectorOf(row)
    const outcome = await provider.call(targetOf(ctx, project, row, connection), action, args, {
      signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(timeout_seconds * 1000)]),
      beforeSend: async () => {
        if (sent) return
        if (!(await connectorCalls.markSent(ctx.db, call_id, attempt_id, ctx.now()))) throw new AttemptLost()
        sent = true
      },
      idempotency_key: call_id,
    })
    if (connection !== null && outcome.ok)
      await connections.touch(ctx.db, connection.connection_id, ctx.now())
    if (connection !== null && !outcome.ok && outcome.reason === 'connection_expired')
      await noteRefused(ctx, connection)
    // This executor stops: the sweep of another asks again where that is harmless, and else says that it is unknown.
    if (ctx.signal.aborted && !outcome.ok && outcome.reason === 'outcome_unknown') return null
    return endOf(outcome)
  } catch (error) {
    if (error instanceof AttemptLost || error instanceof CallLeft) return null
    if (error instanceof UpstreamRefusal)
      return { event: 'fail', reason: error.reason, message: error.message }
    ctx.log.error({ err: error, call_id }, 'a connector call failed in the executor')
    return sent
      ? lost
      : {
          event: 'fail',
          reason: 'connector_unusable',
          message: 'The platform could not make the request; nothing was sent. Try again later',
        }
  }
}

const lost: AttemptEnd = { event: 'lose', reason: 'outcome_unknown', message: unseen }

/** The same as at the gate, had it been known there. */
const expired = (name: string): AttemptEnd => ({
  event: 'refuse',
  reason: 'connection_expired',
  message: `The connection of ${name} expired; a person connects it again`,
})

function endOf(outcome: UpstreamOutcome): AttemptEnd {
  const { upstream_status, bytes_in, bytes_out } = outcome
  const sizes = { upstream_status, bytes_in, bytes_out }
  if (outcome.ok) {
    const { data, truncated } = outcome
    return { event: 'succeed', reason: null, message: null, ...sizes, result: { data, truncated } }
  }
  const { reason, message, data } = outcome
  const result = data === undefined ? {} : { result: { data } }
  return { event: reason === 'outcome_unknown' ? 'lose' : 'fail', reason, message, ...sizes, ...result }
}
