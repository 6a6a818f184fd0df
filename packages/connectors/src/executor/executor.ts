import { connections, connectors, HeldLocks } from '@svc/db'
import { eachOf } from '@svc/errors'
import { type Upgrade, UpstreamRefusal } from '@svc/upstream'
import type { Executor, ExecutorContext } from '../context.ts'
import { countWaiting } from '../sweeps/count-waiting.ts'
import {
  cancelOrphaned,
  deliverOwed,
  expireApprovals,
  expireSignIns,
  sweepCalls,
} from '../sweeps/sweep-connectors.ts'
import { acceptComputer } from './accept-computer.ts'
import { dropComputer, peerOf, touchComputers } from './computers.ts'
import { executeApproved } from './execute-approved.ts'
import { executorUnavailable } from './no-executor.ts'
import { noteRefused, renewed, revokeConnection } from './oauth/renew.ts'
import { beginSignIn, finishSignIn } from './oauth/sign-in.ts'
import { recoverCalls } from './recover.ts'
import { type RunContext, runAttempt } from './run-call.ts'
import { Slots } from './slots.ts'
import { syncConnector, syncDue } from './sync.ts'
import { requireProjectRow, targetOf } from './target.ts'

export interface LocalExecutor extends Executor {
  /** The job of a call that was approved. */
  readonly execute: (call: { readonly call_id: string }) => Promise<void>
  /** Takes the WebSocket of a computer that was proved to serve the connection. */
  readonly accept: (
    connection: { readonly project_id: string; readonly connection_id: string },
    upgrade: Upgrade,
  ) => void
  /** Says that the computers which are connected here still are; done every few seconds. */
  readonly touch: () => Promise<void>
  /** Says in the metrics how many calls wait for people. */
  readonly measure: () => Promise<void>
  /** Everything that is owed and that no process works on; how much there was. */
  readonly sweep: () => Promise<number>
  /** Arguments, results and ledger rows whose time is over; how many there were. */
  readonly forget: () => Promise<number>
}

const testMs = 15_000

/** The one part of the platform that opens credentials of connectors and asks their services. */
export function createExecutor(parts: ExecutorContext): LocalExecutor {
  const ctx: RunContext = { ...parts, held: new HeldLocks(parts.locks), slots: new Slots() }
  return {
    ready: async () => {
      if (ctx.signal.aborted) throw executorUnavailable()
    },
    run: ({ call_id, attempt_id }, here) => runAttempt(ctx, call_id, attempt_id, here),
    sync: (key) => syncConnector(ctx, key),
    origin: async (key) => {
      const row = await connectors.find(ctx.db, key)
      const provider = row && ctx.providers[row.provider]
      if (row === undefined || provider === undefined) return null
      return provider.origin(targetOf(ctx, await requireProjectRow(ctx, key.project_id), row, null))
    },
    test: (key) => testConnection(ctx, key),
    beginSignIn: (key) => beginSignIn(ctx, key),
    finishSignIn: (key) => finishSignIn(ctx, key),
    revoke: async (key) => {
      const row = await connections.find(ctx.db, key)
      return row?.kind === 'computer' ? dropComputer(ctx, row) : revokeConnection(ctx, row)
    },
    accept: (key, upgrade) => acceptComputer(ctx, key, upgrade),
    touch: () => touchComputers(ctx),
    measure: () => countWaiting(ctx),
    execute: (call) => executeApproved(ctx, call),
    forget: () => sweepCalls(ctx),
    sweep: async () => {
      const done = [recoverCalls, expireApprovals, cancelOrphaned, deliverOwed, expireSignIns, syncDue]
      let owed = 0
      await eachOf(done, async (one) => (owed += await one(ctx)))
      return owed
    },
  }
}

/** Reads the actions with the connection, which changes nothing anywhere. */
async function testConnection(
  ctx: RunContext,
  key: { readonly project_id: string; readonly connection_id: string },
): Promise<{ readonly reason: string; readonly message: string } | null> {
  const known = await connections.find(ctx.db, key)
  const row = known && (await connectors.find(ctx.db, known))
  const provider = row && ctx.providers[row.provider]
  if (known === undefined || row === undefined || provider === undefined)
    return { reason: 'connector_unusable', message: 'Its connector is not declared any more' }
  const peer = await peerOf(ctx, known)
  if (peer !== null) return peer.test(key)
  try {
    const connection = await renewed(ctx, known)
    if (connection.status !== 'active')
      return {
        reason: 'connection_expired',
        message: connection.last_error ?? 'It expired; connect it again',
      }
    const project = await requireProjectRow(ctx, key.project_id)
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(testMs)])
    await provider.list(targetOf(ctx, project, row, connection), signal)
    return null
  } catch (error) {
    if (error instanceof UpstreamRefusal) {
      if (error.reason === 'connection_expired') await noteRefused(ctx, known)
      return { reason: error.reason, message: error.message }
    }
    ctx.log.warn({ err: error, connection_id: key.connection_id }, 'a connection could not be tried')
    return { reason: 'upstream_unreachable', message: 'The service could not be asked; try again later' }
  }
}
