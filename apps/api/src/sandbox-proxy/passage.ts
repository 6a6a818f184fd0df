import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { SandboxEndpoint } from '@svc/sandbox'
import type { Exchange } from '../door/door.ts'
import type { RateHeaders } from '@svc/errors'
import type { UpstreamIdentity } from './headers.ts'

export interface Admission {
  readonly endpoint: SandboxEndpoint
  /** Path and query, as the daemon is asked for them. */
  readonly url: string
  readonly user_context: string
  /** The rate limit headers of the answer. */
  readonly limits: RateHeaders
  /** Writes down the request that the sandbox is about to get, or that it did not take it. */
  note(outcome: 'success' | 'failed'): Promise<void>
}

/** One way into sandboxes: the callers that it admits, and the headers that pass through it both ways. */
export interface Passage {
  /** The pattern of its paths, for measurements. */
  readonly route: string
  /** Decides who may reach which port of which sandbox, and finds that sandbox. A refusal is written down. */
  admit(exchange: Exchange, req: IncomingMessage, upgrade: boolean): Promise<Admission>
  /** Changes a request's headers into those that the sandbox gets. */
  prepareRequest(headers: IncomingHttpHeaders, identity: UpstreamIdentity): void
  /** Changes an answer's headers into those that the caller gets. */
  prepareResponse(headers: IncomingHttpHeaders, keep_alive: boolean): void
}
