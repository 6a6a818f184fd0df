import { digestOf, frozenForm } from '@svc/connector'
import { requireWritesOpen } from '@svc/context'
import {
  callAttempts,
  type CallDoor,
  type callReads,
  connectorApprovals,
  connectorCalls,
  type ConnectorCallRow,
  type Db,
  jsonb,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { canonicalJson } from '@svc/facts'
import type { ConnectorContext } from '../context.ts'
import { type Caller, requireCaller } from './caller.ts'
import { frozenParts } from './frozen-parts.ts'
import { logCall } from './log-call.ts'
import { type AskedAction, judgeCall, type JudgedCall, readAhead, type Refusal } from './judge.ts'
import type { CallOutcome } from './outcome.ts'
import { openBody, sealBody } from './sealed.ts'
import { policyOf } from './policy-of.ts'
import { awaitCall } from './await-call.ts'

export interface CallInput extends AskedAction {
  readonly project_id: string
  readonly idempotency_key?: string | undefined
  /** Seconds to wait for the end, 0 to 45. */
  readonly wait_seconds: number
  readonly door: CallDoor
}

/** Calls of one project that run, or wait to. */
const maxOpen = 96

/**
 * Calls an action for an agent or a person: the one way, whatever door they come by. Answers its result, the reason why
 * there is none, or that it is pending; a session is sent the result of such a call as a message.
 */
export async function callConnector(ctx: ConnectorContext, input: CallInput): Promise<CallOutcome> {
  const ahead = readAhead(ctx, input)
  const caller = await requireCaller(ctx, input.project_id)
  requireWritesOpen(ctx)
  const earlier = await earlierCall(ctx, caller, input)
  if (earlier !== undefined) return awaitCall(ctx, caller, earlier, input.wait_seconds)
  const judged = await judgeCall(ctx, caller, input, ahead)
  if ('refused' in judged) return refuse(ctx, caller, input, judged)
  if (judged.decision.decision === 'require_approval') return freeze(ctx, caller, input, judged)
  return run(ctx, caller, input, judged)
}

/** The call that used the same key, of the same request: a repeated one is not run again. */
async function earlierCall(
  ctx: ConnectorContext,
  caller: Caller,
  input: CallInput,
): Promise<ConnectorCallRow | undefined> {
  const { project_id, idempotency_key } = input
  if (idempotency_key === undefined) return undefined
  const key = { project_id, actor_id: caller.actor_id, idempotency_key }
  const row = await connectorCalls.findByKey(ctx.db, key)
  if (row !== undefined) requireSame(ctx, caller, row, input)
  return row
}

/**
 * Refuses a key that was used for another request. The arguments are kept until a while after the answer was taken: a
 * later repeat is known by its key and its action alone.
 */
function requireSame(
  ctx: Pick<ConnectorContext, 'vault'>,
  { project }: Caller,
  row: ConnectorCallRow,
  { connector, action, args }: CallInput,
): void {
  const other = row.slug !== connector || row.action !== action
  const kept = row.sealed_request === null ? null : openBody(ctx, project, row, 'request', row.sealed_request)
  if (!other && (kept === null || canonicalJson(Object(kept).args) === canonicalJson(args))) return
  throw new ServiceError(
    'IDEMPOTENCY_KEY_CONFLICT',
    `This idempotency_key was used for ${row.slug}.${row.action}${other ? '' : ' with other arguments'}; take another one for another call`,
  )
}

/** The call as its row begins. */
function newCall(
  ctx: ConnectorContext,
  { project, session, actor, actor_id }: Caller,
  { connector, action, args, idempotency_key, wait_seconds, door }: CallInput,
  judged: Pick<JudgedCall, 'row' | 'action' | 'decision'> & Partial<Pick<JudgedCall, 'connection'>>,
) {
  const now = ctx.now()
  const { project_id } = project
  const session_id = session?.session_id ?? null
  const connection_id = judged.connection?.connection_id ?? null
  const { provider } = judged.row
  const frozen = frozenForm({
    ...{ project_id, session_id, connector, provider, action, args, connection_id },
    ...frozenParts({ ...judged, connection: judged.connection ?? null }),
  })
  const call_id = ctx.newId()
  return {
    ...{ call_id, project_id, session_id, slug: connector, action, provider, connection_id, actor_id, door },
    actor: jsonb(actor),
    risk: judged.decision.risk,
    rule: jsonb(judged.decision.rule),
    request_digest: digestOf(frozen),
    idempotency_key: idempotency_key ?? null,
    sealed_request: sealBody(ctx, project, { call_id }, 'request', JSON.parse(frozen)),
    waited_until: new Date(now.getTime() + wait_seconds * 1000),
    created_at: now,
    updated_at: now,
  }
}

async function refuse(
  ctx: ConnectorContext,
  caller: Caller,
  input: CallInput,
  { refused, kept }: Refusal,
): Promise<CallOutcome> {
  if (kept === undefined) return refused
  const { sealed_request: _, idempotency_key: __, ...row } = newCall(ctx, caller, input, kept)
  const ended = { status: 'denied' as const, reason: refused.reason, message: refused.message }
  await ctx.db.transaction().execute(async (tx) => {
    await connectorCalls.insert(tx, { ...row, ...ended, ended_at: row.created_at })
    await logCall(ctx, tx, { ...row, ...ended, ms: null })
  })
  return { ...refused, call_id: row.call_id }
}

/** Freezes the call for a person; an equal one of the same session that waits already is that call. */
async function freeze(
  ctx: ConnectorContext,
  caller: Caller,
  input: CallInput,
  judged: JudgedCall,
): Promise<CallOutcome> {
  const row = { ...newCall(ctx, caller, input, judged), status: 'awaiting_approval' as const }
  const { call_id, project_id, session_id, request_digest, created_at } = row
  const { expires_ms, second_person } = policyOf(judged)
  const waiting = await ctx.db.transaction().execute(async (tx) => {
    const inserted = await connectorCalls.insert(tx, row)
    if (inserted === undefined) return equalCall(tx, row)
    await connectorApprovals.insert(tx, {
      ...{ call_id, project_id, second_person, created_at },
      status: 'pending',
      digest: request_digest,
      expires_at: new Date(created_at.getTime() + expires_ms),
    })
    await logCall(ctx, tx, { ...row, reason: 'approval_required', ms: null })
    return inserted
  })
  if (waiting === undefined)
    throw new ServiceError(
      'conflict',
      `An equal call of ${session_id ?? 'this caller'} ended just now; call again`,
    )
  if (waiting.call_id !== call_id) requireSame(ctx, caller, waiting, input)
  ctx.metrics.count('svc_connector_calls_total', { provider: row.provider, outcome: 'approval_required' })
  return awaitCall(ctx, caller, waiting, input.wait_seconds)
}

async function equalCall(
  tx: Db,
  { session_id, project_id, request_digest, actor_id, idempotency_key }: ReturnType<typeof newCall>,
): Promise<ConnectorCallRow | undefined> {
  if (session_id !== null) {
    const waiting = await connectorCalls.findWaiting(tx, { project_id, session_id, request_digest })
    if (waiting !== undefined) return waiting
  }
  return idempotency_key === null
    ? undefined
    : connectorCalls.findByKey(tx, { project_id, actor_id, idempotency_key })
}

async function run(
  ctx: ConnectorContext,
  caller: Caller,
  input: CallInput,
  judged: JudgedCall,
): Promise<CallOutcome> {
  await ctx.executor.ready()
  const attempt_id = ctx.newId()
  const begun = { status: 'executing' as const, attempt_id, fence: 1, started_at: ctx.now() }
  const row = { ...newCall(ctx, caller, input, judged), ...begun }
  const beginning = callAttempts.begin(ctx.db, row, {
    ...{ flushed: input.wait_seconds === 0, max_running: maxOpen },
  })
  const here = {
    waits: input.wait_seconds > 0,
    parts: beginning.then((call) => call && partsOf(caller, judged, call)),
  }
  // It takes the lock of the call meanwhile.
  const ended = ctx.executor.run({ call_id: row.call_id, attempt_id }, here)
  ended.catch(() => {})
  const inserted = await beginning
  if (inserted === undefined) {
    const equal = await equalCall(ctx.db, row)
    if (equal === undefined) throw noRoom()
    requireSame(ctx, caller, equal, input)
    return awaitCall(ctx, caller, equal, input.wait_seconds)
  }
  return awaitCall(ctx, caller, inserted, input.wait_seconds, { ended, here })
}

/** An account that is suspended was refused before. */
const partsOf = (
  { project }: Caller,
  { row, action, connection }: JudgedCall,
  call: ConnectorCallRow,
): callReads.CallParts => ({
  ...{ call, project, connector: row, action, connection: connection ?? undefined },
  suspension: { suspended_at: null, suspended_reason: null },
})

function noRoom(): ServiceError {
  return new ServiceError(
    'rate_limit_exceeded',
    `${maxOpen} connector calls of this project run or wait; call again in a moment`,
    { retry_after: 1 },
  )
}
