import type { ConnectorAction, JsonObject, Reason } from '@svc/connector'
import type { CallOptions, Target, UpstreamOutcome } from '../../shapes.ts'
import { type ActiveCall, activeCall } from './active-call.ts'
import { isUnknownSession, mcpFailure } from './failure.ts'
import type { sessionPool } from './pool.ts'
import { carriedResult, textOf, type ToolResult, toolResult } from './result.ts'
import type { McpSession } from './session.ts'

type Pool = ReturnType<typeof sessionPool>
type Called = Pick<ConnectorAction, 'action' | 'binding'>

/** Longer than the limit of any call: the signal ends it. */
const sdkTimeoutMs = 3_600_000

/** Calls a tool, in a new session where the server does not know the old one any more. */
export async function callTool(
  pool: Pool,
  target: Target,
  action: Called,
  args: JsonObject,
  options: CallOptions,
): Promise<UpstreamOutcome> {
  const call = activeCall(args, options)
  for (;;) {
    const opened = await open(pool, target, options.signal)
    if ('failure' in opened) return outcomeOf(opened.failure, call)
    const { lease } = opened
    try {
      return succeeded(await request(lease.session, action, call, options), call, target)
    } catch (error) {
      const isGone = lease.reused && isUnknownSession(error, call.status)
      if (isGone || lease.session.closed) lease.discard()
      if (call.refused !== null) throw call.refused.error
      if (!isGone) return failed(error, call, target)
      call.status = null
    } finally {
      lease.release()
    }
  }
}

async function open(pool: Pool, target: Target, signal: AbortSignal) {
  try {
    return { lease: await pool.take(target, signal) }
  } catch (error) {
    const failure = signal.aborted ? timedOut : openFailure(error, target)
    return { failure: { ...failure, sent: false } }
  }
}

/** The status of an answer stands in the errors of the SDK alone: there is no session to ask. */
export function openFailure(error: unknown, target: Target) {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const named = error instanceof Error ? /\(HTTP (\d{3})\)/.exec(error.message)?.[1] : undefined
  const status = named === undefined ? code : Number(named)
  const isStatus = typeof status === 'number' && status >= 100 && status <= 599
  return mcpFailure(error, isStatus ? status : null, target)
}

const timedOut = {
  reason: 'upstream_timeout',
  message: 'The time of the call ended before it was sent',
} as const

async function request(
  session: McpSession,
  { action, binding }: Called,
  call: ActiveCall,
  { signal, onProgress }: CallOptions,
): Promise<ToolResult> {
  const { tool = action } = binding
  const params = { name: String(tool), arguments: call.args }
  session.active.add(call)
  try {
    const asked = session.client.request({ method: 'tools/call', params }, toolResult, {
      signal,
      timeout: sdkTimeoutMs,
      onresumptiontoken: () => void (call.resumable = true),
      ...(onProgress && {
        onprogress: ({ progress, total, message }) =>
          onProgress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
      }),
    })
    return await Promise.race([call.failed, asked])
  } finally {
    session.active.delete(call)
  }
}

function succeeded(result: ToolResult, call: ActiveCall, { connector }: Target): UpstreamOutcome {
  const { data, truncated } = carriedResult(result)
  if (result.isError !== true) return { ok: true, data, truncated, ...metricsOf(call) }
  const message = textOf(result) || `${connector.name} says that the tool failed, and not why`
  return { ok: false, reason: 'upstream_error', message, sent: true, data, ...metricsOf(call) }
}

function failed(error: unknown, call: ActiveCall, target: Target): UpstreamOutcome {
  const unknown = (why: string) =>
    outcomeOf(
      { reason: 'outcome_unknown', message: `${why}; it may have happened: look there first`, sent: true },
      call,
    )
  if (call.signal.aborted)
    return call.sent ? unknown('The time of the call ended') : outcomeOf({ ...timedOut, sent: false }, call)
  const failure = mcpFailure(error, call.status, target)
  if (!call.sent) return outcomeOf({ ...failure, sent: false }, call)
  return failure.sent && broken.includes(failure.reason) ? unknown(failure.message) : outcomeOf(failure, call)
}

/** Ends of a connection that do not say what the service did. */
const broken: readonly Reason[] = ['upstream_unreachable', 'upstream_timeout']

type Failure = ReturnType<typeof mcpFailure>

function outcomeOf({ data, ...failure }: Failure, call: ActiveCall): UpstreamOutcome {
  return { ok: false, ...failure, ...(data === undefined ? {} : { data }), ...metricsOf(call) }
}

const metricsOf = ({ status, bytes_out, bytes_in }: ActiveCall) => ({
  upstream_status: status,
  bytes_out,
  bytes_in,
})
