import type { Reason } from '@svc/connector'
import type { z } from 'zod'
import { refuseRedirect, watchBody } from '../../fetch-over.ts'
import { answerLimits } from '../../limits.ts'
import { type CallOptions, UpstreamRefusal, type UpstreamOutcome, type Wire } from '../../shapes.ts'
import { wireFailure } from '../../wire-failure.ts'

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

interface JsonAnswer {
  readonly status: number
  readonly json: unknown
  readonly bytes_in: number
  readonly bytes_out: number
}

async function send(wire: Wire, request: JsonRequest, signal: AbortSignal): Promise<JsonAnswer> {
  const { method, url, body } = request
  const bytes = body === undefined ? null : new TextEncoder().encode(JSON.stringify(body))
  const type = bytes === null ? {} : { 'content-type': 'application/json' }
  const headers = { accept: 'application/json', ...type, ...request.headers }
  const answered = await refuseRedirect(await wire({ method, url, headers, body: bytes }, signal), url)
  const text = await watchBody(answered, () => answerLimits.read_bytes).text()
  return {
    status: answered.status,
    json: parsed(text),
    bytes_in: Buffer.byteLength(text),
    bytes_out: bytes?.length ?? 0,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The answer in the shape that the aggregator's documents give it. Throws `UpstreamRefusal`. */
export async function ask<S extends z.ZodType>(
  wire: Wire,
  request: JsonRequest,
  shape: S,
  signal: AbortSignal,
): Promise<z.output<S>> {
  const answer = await send(wire, request, signal).catch((error: unknown) => {
    const { reason, message } = wireFailure(error)
    throw new UpstreamRefusal(reason, `${request.url.origin}: ${message}`)
  })
  if (answer.status >= 400) {
    const { reason, message } = refusalOf(answer, request.url)
    throw new AggregatorRefusal(reason, message, answer.status)
  }
  const read = shape.safeParse(answer.json)
  if (read.success) return read.data
  throw new UpstreamRefusal(
    'upstream_error',
    `${request.url.origin} answered in a shape that its documents do not have`,
  )
}

/** A refusal with the status that it came with. */
export class AggregatorRefusal extends UpstreamRefusal {
  readonly status: number

  constructor(reason: Reason, message: string, status: number) {
    super(reason, message)
    this.status = status
  }
}

type Read =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly message: string; readonly data: unknown }

/** Sends the call itself, and reads its end; an error of `beforeSend` is passed on. `renew` gives the request again where the aggregator refused its token. */
export async function run(
  wire: Wire,
  request: JsonRequest,
  { signal, beforeSend }: Pick<CallOptions, 'signal' | 'beforeSend'>,
  read: (json: unknown) => Read,
  renew?: () => Promise<JsonRequest>,
): Promise<UpstreamOutcome> {
  if (signal.aborted) return unanswered(signal.reason, false, signal)
  await beforeSend()
  try {
    let answer = await send(wire, request, signal)
    if (answer.status === 401 && renew !== undefined) answer = await send(wire, await renew(), signal)
    const sizes = { upstream_status: answer.status, bytes_in: answer.bytes_in, bytes_out: answer.bytes_out }
    if (answer.status >= 400) {
      const refused = refusalOf(answer, request.url)
      return {
        ok: false,
        ...refused,
        sent: refused.reason === 'upstream_error',
        data: carried(answer.json).data,
        ...sizes,
      }
    }
    const end = read(answer.json)
    const { data, truncated } = carried(end.data)
    if (end.ok) return { ok: true, data, truncated, ...sizes }
    return { ok: false, reason: 'upstream_error', message: end.message, sent: true, data, ...sizes }
  } catch (error) {
    return unanswered(error, true, signal)
  }
}

function unanswered(error: unknown, wasBegun: boolean, signal: AbortSignal): UpstreamOutcome {
  const none = { ok: false, upstream_status: null, bytes_in: 0, bytes_out: 0 } as const
  const failure = wireFailure(error)
  const sent = wasBegun && failure.sent
  const isOpen =
    signal.aborted || failure.reason === 'upstream_unreachable' || failure.reason === 'upstream_timeout'
  if (sent && isOpen)
    return {
      ...none,
      reason: 'outcome_unknown',
      message: `${failure.message}; it may have happened: look there first`,
      sent,
    }
  if (signal.aborted)
    return {
      ...none,
      reason: 'upstream_timeout',
      message: 'The time of the call ended before it was sent',
      sent: false,
    }
  return { ...none, reason: failure.reason, message: failure.message, sent }
}

/** The aggregator's refusal: of the platform's own key, or of the request with its words. */
function refusalOf(
  { status, json }: JsonAnswer,
  { origin }: URL,
): { readonly reason: Reason; readonly message: string } {
  if (status === 401 || status === 403)
    return {
      reason: 'aggregator_not_configured',
      message: `${origin} refuses the platform's key (${status}); the operator corrects it in SVC_AGGREGATORS_FILE`,
    }
  return { reason: 'upstream_error', message: `${origin} answered ${status}: ${wordsIn(json)}` }
}

/** The words of an error, wherever its body keeps them. */
export function wordsIn(json: unknown): string {
  if (typeof json === 'string') return json.slice(0, 2_000)
  if (typeof json !== 'object' || json === null) return 'no reason given'
  const { error, message } = json as { readonly error?: unknown; readonly message?: unknown }
  if (typeof message === 'string') return message.slice(0, 2_000)
  return error === undefined ? 'no reason given' : wordsIn(error)
}

/** Data within 1 MiB; what is longer becomes the beginning of its text. */
function carried(data: unknown): { readonly data: unknown; readonly truncated: boolean } {
  const text = JSON.stringify(data ?? null)
  if (Buffer.byteLength(text) <= answerLimits.carried_bytes) return { data: data ?? null, truncated: false }
  return {
    data: Buffer.from(text)
      .subarray(0, answerLimits.carried_bytes)
      .toString()
      .replace(/\uFFFD$/, ''),
    truncated: true,
  }
}
