import type { ConnectionError } from './errors.ts'

/** Anything with fetch's signature: the global one, or one with a proxy, a cache or a test behind it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly redirect: 'error'
  readonly body?: string | FormData
  readonly signal?: AbortSignal
}

/** The part of an answer that is read: of a `Response`, or of anything that has as much. */
export interface FetchAnswer extends Pick<
  Response,
  'ok' | 'status' | 'statusText' | 'url' | 'body' | 'text'
> {
  readonly headers: Pick<Headers, 'get'>
}

/**
 * An event of a request, for a log. `url` is without its query, and neither headers nor bodies are told, so that no
 * secret is. `attempt` counts from 1; times are in milliseconds.
 */
export type DebugEvent = { readonly method: string; readonly url: string; readonly attempt: number } & (
  | { readonly kind: 'request' }
  | {
      readonly kind: 'response'
      readonly status: number
      /** `X-Request-Id` of the answer. */
      readonly request_id: string | null
      readonly duration_ms: number
    }
  | { readonly kind: 'failure'; readonly error: ConnectionError; readonly duration_ms: number }
  /** The attempt is repeated after this delay. */
  | { readonly kind: 'retry'; readonly delay_ms: number }
)

export interface ClientOptions {
  /** API base, with or without `/v1`, such as `http://127.0.0.1:7700/v1`. */
  readonly api_url: string
  /** Bearer token (`svc_pat_…`, `svc_sa_…`, `svc_oat_…`); null or absent sends none. */
  readonly token?: string | null | undefined
  /** Of `auth.browsers.open`: sent beside the cookie that the browser has of it. A token wins over both. */
  readonly page_key?: string | null | undefined
  /** Defaults to the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** `User-Agent` to send; browsers keep their own. */
  readonly user_agent?: string | undefined
  /** Milliseconds one attempt may take; 30,000 by default, a little above the server's own deadline. Of a stream it bounds the wait for its start. */
  readonly timeout_ms?: number | undefined
  /** Called as requests begin, end and are repeated. It is for logs: its errors are ignored. */
  readonly debug?: ((event: DebugEvent) => void) | undefined
}

/** Taken by every call. */
export interface RequestOptions {
  /** Aborting rejects the call with the signal's reason. A write that was sent may still happen. */
  readonly signal?: AbortSignal | undefined
  /** Sent as `X-Request-Id` and found again in the service's log: 1 to 128 of `A-Z a-z 0-9 . _ -`. The service makes one when absent. */
  readonly request_id?: string | undefined
}
