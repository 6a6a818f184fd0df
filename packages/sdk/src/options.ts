/** Anything with fetch's signature: the global one, or one with a proxy, a cache or a test behind it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions {
  /** API base, with or without `/v1`, such as `http://127.0.0.1:7700/v1`. */
  readonly api_url: string
  /** Bearer token (`svc_pat_…`, `svc_sa_…`, `svc_oat_…`); null or absent sends none. */
  readonly token?: string | null | undefined
  /** Defaults to the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** `User-Agent` to send; browsers keep their own. */
  readonly user_agent?: string | undefined
  /** Milliseconds one attempt may take; 30,000 by default, a little above the server's own deadline. Of a stream it bounds the wait for its start. */
  readonly timeout_ms?: number | undefined
}

/** Taken by every call. */
export interface RequestOptions {
  /** Aborting rejects the call with the signal's reason. A write that was sent may still happen. */
  readonly signal?: AbortSignal | undefined
}
