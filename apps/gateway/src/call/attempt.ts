import { issuesOf } from '@svc/contract/issues'
import { ServiceError } from '@svc/errors'
import type { Body, Dialect } from '@svc/models'
import { RefusedTarget } from '@svc/outbound'
import { ChatRequest } from '../chat-request.ts'
import { answerDemo } from '../demo-model/answer.ts'
import { GatewayRefusal } from '../door/refusal.ts'
import { DeadlineClock, deadlineReached } from '../upstream/deadlines.ts'
import { mapFailure, mayTryNext, unreachable } from '../upstream/map-failure.ts'
import type { ConnectionPools } from '../upstream/pools.ts'
import { hubOf, translated } from '../translate/translated.ts'
import { reads, send } from '../upstream/send.ts'
import type { Candidate } from './candidates.ts'
import { headersOf, readBeginning, type UpstreamAnswer } from './upstream-answer.ts'

/** One try of a call at a candidate. */
export interface Attempt {
  readonly candidate: Candidate
  readonly dialect: Dialect
  readonly body: Body
  /** The body as this candidate is sent it. */
  readonly text: string
  readonly headers: Headers
  readonly search: string
  readonly secret: string | null
  /** The clamped limit of each answer; null where nothing bounds it. */
  readonly output_limit: number | null
  /** Names the answer where it is written here. */
  readonly id: string
  readonly pools: ConnectionPools
  readonly now: Date
  /** Ends with the caller, with the lease of the call, and with the gateway. */
  readonly signal: AbortSignal
}

/** A try that the next candidate may follow. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly refusal: GatewayRefusal
  /** The provider or the way to it is in trouble, which its breaker counts. */
  readonly counts: boolean
  readonly http_status: number | null
  readonly retry_after: string | null

  constructor(
    refusal: GatewayRefusal,
    said: {
      readonly counts: boolean
      readonly http_status?: number | null
      readonly retry_after?: string | null
    },
  ) {
    super(refusal.message, { cause: refusal })
    this.refusal = refusal
    this.counts = said.counts
    this.http_status = said.http_status ?? null
    this.retry_after = said.retry_after ?? null
  }
}

export interface Began {
  readonly answer: UpstreamAnswer
  readonly clock: DeadlineClock
  /** Ends the request to the provider. */
  readonly call: AbortController
  /** The pieces of the answer. */
  readonly pieces: AsyncIterator<Uint8Array>
}

/** The answer as it begins. Throws `Failed` where another candidate may be tried, else the caller's refusal. */
export async function attempt(given: Attempt): Promise<Began> {
  const { candidate, secret, signal } = given
  const call = new AbortController()
  const leave = () => call.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', leave, { once: true })
  const clock = new DeadlineClock(candidate.provider.deadlines, call)
  try {
    const answer = await begin(given, call.signal)
    const pieces = answer.body[Symbol.asyncIterator]()
    if (answer.status >= 200 && answer.status < 300) return { answer, clock, call, pieces }
    clock.restart()
    const said = await readBeginning(answer.body)
    clock.stop()
    const retry_after = answer.headers.get('retry-after')
    const refusal = new GatewayRefusal(mapFailure(answer.status, said, retry_after, secret))
    if (!mayTryNext(answer.status)) throw refusal
    const counts = answer.status >= 500
    throw new Failed(refusal, { counts, http_status: answer.status, retry_after })
  } catch (error) {
    clock.stop()
    signal.removeEventListener('abort', leave)
    // What cannot be translated is the caller's to change: no provider was asked.
    if (error instanceof ServiceError) throw error
    if (error instanceof Failed || error instanceof GatewayRefusal) throw error
    throw troubleOf(error, call.signal, signal)
  }
}

/** The error that ended a request to a provider, or the reading of its answer. */
export function troubleOf(error: unknown, call: AbortSignal, caller: AbortSignal): unknown {
  if (caller.aborted) return caller.reason
  if (error instanceof GatewayRefusal) return error
  const cause = call.aborted ? call.reason : error
  const late = deadlineReached(cause)
  if (late) return new Failed(late, { counts: true })
  const refused = findRefusedTarget(cause)
  if (refused)
    return new GatewayRefusal(
      {
        status: 400,
        code: 'address_not_allowed',
        message: `${refused.message}; give the provider another address`,
      },
      { cause: error },
    )
  return new Failed(unreachable(cause), { counts: true })
}

function findRefusedTarget(error: unknown): RefusedTarget | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at instanceof RefusedTarget) return at
  return null
}

async function begin(given: Attempt, signal: AbortSignal): Promise<UpstreamAnswer> {
  const { candidate, text, headers, search, secret, pools, dialect, body } = given
  const hub = reads(candidate.provider, dialect.name) ? null : hubOf(dialect)
  if (hub !== null) return translated(given, hub, signal)
  if (candidate.provider.kind === 'demo') return answerOfDemo(given, body)
  const answer = await send({
    provider: candidate.provider,
    secret,
    path: dialect.path,
    search: dialect.name === 'messages' ? search : '',
    body: text,
    headers,
    dispatcher: pools.of(candidate.provider),
    signal,
  })
  return { candidate, status: answer.statusCode, headers: headersOf(answer.headers), body: answer.body }
}

function answerOfDemo({ candidate, now }: Attempt, body: Body): UpstreamAnswer {
  const request = ChatRequest.safeParse(body.value)
  if (!request.success) {
    const [issue] = issuesOf(request.error)
    const message = `${issue?.path ?? ''}: ${issue?.message ?? 'is not valid'}`
    throw new GatewayRefusal({ status: 400, code: 'invalid_request', message })
  }
  // Its usage is withheld from a client that did not ask, as any provider's.
  const answer = answerDemo({ ...request.data, stream_options: { include_usage: true } }, now)
  if (answer.body === null) throw new Error('The demo model always answers')
  return { candidate, status: answer.status, headers: answer.headers, body: answer.body }
}
