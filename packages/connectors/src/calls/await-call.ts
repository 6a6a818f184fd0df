import { callAttempts, type ConnectorCallRow, connectorApprovals, connectorCalls } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { ConnectorContext } from '../context.ts'
import { approvalUrl } from '../connectors/urls.ts'
import type { Caller } from './caller.ts'
import { takeMs } from './finish.ts'
import { type CallOutcome, type CallResult, outcomeOf } from './outcome.ts'
import { openBody } from './sealed.ts'

type AwaitContext = Pick<
  ConnectorContext,
  'db' | 'listener' | 'signal' | 'vault' | 'settings' | 'now' | 'log' | 'when_answered'
>

const hasEnded = ({ ended_at }: ConnectorCallRow): boolean => ended_at !== null

/** The work itself, where this process asked for it. */
export interface RunningCall {
  /** The row at its end, where this process wrote that. */
  readonly ended: Promise<ConnectorCallRow | undefined>
  /** True as long as its caller waits here: the end is written as taken then. */
  readonly here: { waits: boolean }
}

/**
 * The outcome of a call, once it has ended or the time is up. Who waits takes the result with them: it is not sent as a
 * message then.
 */
export async function awaitCall(
  ctx: AwaitContext,
  caller: Pick<Caller, 'project' | 'session' | 'actor_id'>,
  call: ConnectorCallRow,
  wait_seconds: number,
  running?: RunningCall,
): Promise<CallOutcome> {
  const { row, is_taken } = hasEnded(call)
    ? { row: call, is_taken: false }
    : await lookAgain(ctx, call, wait_seconds, running)
  if (hasEnded(row)) await take(ctx, caller, row, is_taken)
  return presentOutcome(ctx, caller, row)
}

/** Wakes with each change of the row; a message that is lost costs a look. */
async function lookAgain(
  { db, listener, signal, log }: AwaitContext,
  call: ConnectorCallRow,
  wait_seconds: number,
  running?: RunningCall,
): Promise<{ readonly row: ConnectorCallRow; readonly is_taken: boolean }> {
  const { call_id } = call
  const until = performance.now() + wait_seconds * 1000
  let wake = () => {}
  let failed: unknown
  let ended: ConnectorCallRow | undefined
  let unsubscribe = () => {}
  const listen = () => {
    unsubscribe = listener.subscribe('connector_call', () => wake(), call_id)
  }
  // The work says itself when it is done; where another executor does it, its messages do.
  if (running === undefined) listen()
  running?.ended.then(
    (row) => {
      ended = row
      if (row === undefined && running.here.waits) listen()
      wake()
    },
    (error: unknown) => {
      // The row is the truth: it is found by a sweep where this process lost its way to the executor.
      log.warn({ err: error, call_id }, 'a connector call could not be handed to the executor')
      failed = error
      wake()
    },
  )
  try {
    // What begins with this wait has not ended yet, and says itself when it has.
    for (let isNew = running !== undefined; ; isNew = false) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      if (ended !== undefined) return { row: ended, is_taken: ended.delivery === 'inline' }
      const row = isNew ? call : await connectorCalls.find(db, call_id)
      if (row === undefined)
        throw new ServiceError(
          'not_found',
          'There is no such call; take its call_id from the answer to the call',
        )
      const left = until - performance.now()
      if (hasEnded(row) || left <= 0 || signal.aborted || failed !== undefined)
        return { row, is_taken: false }
      const timer = setTimeout(() => wake(), Math.min(left, recheckMs))
      await changed
      clearTimeout(timer)
    }
  } finally {
    unsubscribe()
    if (running !== undefined) running.here.waits = false
  }
}

const recheckMs = 1000

/**
 * The caller takes it, and no message brings it as well. An answer that was not written to its end counts as not taken: the
 * sweep sends the message then.
 */
async function take(
  ctx: AwaitContext,
  { session }: Pick<Caller, 'session'>,
  { call_id, session_id, delivery, delivered_at }: ConnectorCallRow,
  is_taken: boolean,
): Promise<void> {
  const isOwn = session_id === null || session?.session_id === session_id
  // One that was taken by a process that died since is as good as owed.
  if (!isOwn || delivered_at !== null || (delivery !== 'owed' && delivery !== 'inline')) return
  const now = ctx.now()
  const owed_at = new Date(now.getTime() + takeMs)
  if (!is_taken && !(await connectorCalls.takeInline(ctx.db, call_id, { now, owed_at }))) return
  const delivered = () => callAttempts.noteTaken(ctx.db, call_id, ctx.now())
  if (ctx.when_answered === undefined) return delivered()
  ctx.when_answered(delivered)
}

/** The answer to the caller of a call, or to one who may read the ledger: the result is the caller's alone. */
export async function presentOutcome(
  ctx: Pick<AwaitContext, 'db' | 'vault' | 'settings'>,
  { project, actor_id }: Pick<Caller, 'project' | 'actor_id'>,
  row: ConnectorCallRow,
): Promise<CallOutcome> {
  const { call_id, project_id, sealed_result } = row
  const isOwn = row.actor_id === actor_id
  const result =
    isOwn && sealed_result !== null
      ? (openBody(ctx, project, row, 'result', sealed_result) as CallResult)
      : null
  const approval =
    row.status === 'awaiting_approval' ? await connectorApprovals.find(ctx.db, call_id) : undefined
  return outcomeOf(row, {
    result,
    approval,
    approval_url: approvalUrl(ctx.settings, { project_id, call_id }),
  })
}
