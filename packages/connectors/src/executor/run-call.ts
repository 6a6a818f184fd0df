import type { FrozenCall } from '@svc/connector'
import {
  callAttempts,
  callReads,
  type ConnectionRow,
  connections,
  type ConnectorCallRow,
  type HeldLocks,
} from '@svc/db'
import { CallLeft, type UpstreamOutcome, UpstreamRefusal } from '@svc/upstream'
import { connectorOf } from '../connectors/definition.ts'
import { type AttemptEnd, type CallerHere, finishCall } from '../calls/finish.ts'
import { unseen } from '../calls/outcome.ts'
import { openBody } from '../calls/sealed.ts'
import type { Executor, ExecutorContext } from '../context.ts'
import { peerOfCall } from './computers.ts'
import { gateAgain } from './gate-again.ts'
import { noteRefused, renewed } from './oauth/renew.ts'
import type { Slots } from './slots.ts'
import { targetOf } from './target.ts'

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

/**
 * Carries out an attempt that the row names, and writes its end. What it is carried out by is what the gate read a moment
 * ago, or is read beside the taking of the lock: each write asks that the attempt still has the call.
 */
export async function runAttempt(
  ctx: RunContext,
  call_id: string,
  attempt_id: string,
  here?: CallerHere,
): Promise<ConnectorCallRow | undefined> {
  const reading = here?.parts ?? callReads.findParts(ctx.db, call_id)
  reading.catch(() => {})
  const release = await ctx.held.tryHold(callLock(call_id))
  if (release === undefined) return undefined
  let peer: Executor | null = null
  try {
    const parts = await reading
    if (parts?.call.status !== 'executing' || parts.call.attempt_id !== attempt_id) return undefined
    const { project, call } = parts
    peer = await peerOfCall(ctx, call)
    if (peer === null) {
      const end = await ctx.slots.within(call, async (waited) => {
        // It may have waited for its turn for long.
        const latest = waited ? await callReads.findParts(ctx.db, call_id) : parts
        return latest === undefined ? null : carryOut(ctx, latest, attempt_id)
      })
      return end === null ? undefined : await finishCall(ctx, project, call, end, here)
    }
  } finally {
    const released = release()
    released.catch((err: unknown) => ctx.log.warn({ err, call_id }, 'The lock of a call was not given back'))
    // The caller waits for no more than the end of the call.
    if (peer !== null) await released
  }
  await peer.run({ call_id, attempt_id })
  return undefined
}

/** Null when the attempt was taken over, or is left to another executor. */
async function carryOut(
  ctx: RunContext,
  parts: callReads.CallParts,
  attempt_id: string,
): Promise<AttemptEnd | null> {
  const { project, call } = parts
  const { call_id, sealed_request } = call
  if (sealed_request === null)
    return {
      event: 'fail',
      reason: 'call_cancelled',
      message: 'The arguments were erased before the call ran',
    }
  const frozen = openBody(ctx, project, call, 'request', sealed_request) as FrozenCall
  const { args } = frozen
  let sent = false
  try {
    const gate = await gateAgain(ctx, parts, frozen)
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
        if (!(await callAttempts.markSent(ctx.db, call_id, attempt_id, ctx.now()))) throw new AttemptLost()
        sent = true
      },
      idempotency_key: call_id,
    })
    if (connection !== null && outcome.ok) await noteUsed(ctx, connection)
    if (connection !== null && !outcome.ok && outcome.reason === 'connection_expired')
      await noteRefused(ctx, connection)
    // This executor stops: the sweep of another asks again where that is harmless, and else says that it is unknown.
    if (ctx.signal.aborted && !outcome.ok && outcome.reason === 'outcome_unknown') return null
    return endOf(outcome)
  } catch (error) {
    if (error instanceof AttemptLost || error instanceof CallLeft) return null
    if (error instanceof UpstreamRefusal)
      return { event: 'fail', reason: error.reason, message: null, result: { message: error.message } }
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

/** The use of a connection, once a minute. */
async function noteUsed(
  { db, now }: ExecutorContext,
  { connection_id, last_used_at, last_error }: ConnectionRow,
): Promise<void> {
  const isNoted = last_used_at !== null && now().getTime() - last_used_at.getTime() < 60_000
  if (!isNoted || last_error !== null) await connections.touch(db, connection_id, now())
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
  const event = reason === 'outcome_unknown' ? 'lose' : 'fail'
  // What it says may be the service's own words, and is kept as its answers are.
  return { event, reason, message: null, ...sizes, result: { message, data } }
}
