import { connectorCalls, type ConnectorCallRow } from '@svc/db'
import { eachOf } from '@svc/errors'
import { finishCall } from '../calls/finish.ts'
import { unseen } from '../calls/outcome.ts'
import { connectorOf } from '../connectors/definition.ts'
import { connectors } from '@svc/db'
import { executeApproved } from './execute-approved.ts'
import { callLock, type RunContext, runAttempt } from './run-call.ts'
import { requireProjectRow } from './target.ts'

/** The time for which a call is left to those who have it. */
const quietMs = 10_000
const atOnce = 50
/** One request may be repeated under its key so often, and so long after it began. */
const repeats = { tries: 3, ms: 15 * 60_000 } as const

/** Takes up calls that were approved, or begun, and that no executor works on any more; how many there were. */
export async function recoverCalls(ctx: RunContext): Promise<number> {
  const quiet_since = new Date(ctx.now().getTime() - quietMs)
  const quiet = await connectorCalls.listQuiet(ctx.db, quiet_since, atOnce)
  const running = quiet.map((call) => recover(ctx, call))
  await Promise.allSettled(running)
  return eachOf(running, (one) => one)
}

async function recover(ctx: RunContext, call: ConnectorCallRow): Promise<void> {
  if (call.status === 'approved') return executeApproved(ctx, call)
  const next = await decideUnderLock(ctx, call.call_id)
  if (next === 'execute') return executeApproved(ctx, call)
  if (next !== null) await runAttempt(ctx, call.call_id, next.attempt_id)
}

/** The next step of a call whose executor is gone. The lock says so: one that lives holds it. */
async function decideUnderLock(
  ctx: RunContext,
  call_id: string,
): Promise<'execute' | { readonly attempt_id: string } | null> {
  const release = await ctx.held.tryHold(callLock(call_id))
  if (release === undefined) return null
  try {
    const call = await connectorCalls.find(ctx.db, call_id)
    if (call?.status !== 'executing' || call.attempt_id === null) return null
    ctx.metrics.count('svc_connector_repairs_total', {
      repair: call.sent_at === null ? 'release' : 'after_send',
    })
    if (call.sent_at === null) {
      await connectorCalls.apply(ctx.db, call_id, 'release', ctx.now(), { attempt_id: call.attempt_id })
      return 'execute'
    }
    if (await mayRepeat(ctx, call)) {
      const attempt_id = ctx.newId()
      const begun = await connectorCalls.restartAttempt(ctx.db, call, { attempt_id, now: ctx.now() })
      return begun === undefined ? null : { attempt_id }
    }
    const project = await requireProjectRow(ctx, call.project_id)
    await finishCall(ctx, project, call, { event: 'lose', reason: 'outcome_unknown', message: unseen })
    return null
  } finally {
    await release()
  }
}

const keyed: ReadonlySet<string> = new Set(['aggregator_a', 'aggregator_b', 'computer'])

/** A read once more; anything else only where its service knows the request again by its key. */
async function mayRepeat(ctx: RunContext, call: ConnectorCallRow): Promise<boolean> {
  const { project_id, slug, fence, started_at, risk } = call
  const row = await connectors.find(ctx.db, { project_id, slug })
  if (row === undefined) return false
  if (risk === 'read' && fence === 1) return true
  const hasKey = keyed.has(row.provider) || connectorOf(row).idempotency_header !== null
  const age = ctx.now().getTime() - (started_at?.getTime() ?? 0)
  return hasKey && fence < repeats.tries && age < repeats.ms
}
