import { backOffMs } from '@svc/timing'
import { ApiError, ConnectionError } from '../errors.ts'
import { sleep } from '../http/sleep.ts'
import type { Http } from '../http/transport.ts'
import type { FetchAnswer, RequestOptions } from '../options.ts'
import { readSse } from './read-sse.ts'

export interface StreamOptions extends RequestOptions {
  /** Sequence number to start after; 0 (the default) replays the whole log first. */
  readonly after?: number | undefined
  /** Failed connections in a row before it throws; 10 by default, about half a minute. */
  readonly max_reconnects?: number | undefined
  /** Milliseconds of silence that count as a cut connection; 45,000 by default. */
  readonly idle_timeout_ms?: number | undefined
}

/** An event with its place in the log; null for one that is not kept, and neither resumes nor repeats. */
export interface Placed<T> {
  readonly seq: number | null
  readonly event: T
}

const firstDelayMs = 250
const maxDelayMs = 5_000

/** A log as it grows, across any number of connections: each kept event exactly once, in order. */
export async function* resumedStream<T>(
  http: Http,
  path: string,
  options: StreamOptions,
  read: (value: object) => Placed<T> | null,
): AsyncGenerator<T, void, undefined> {
  let last = options.after ?? 0
  let failures = 0
  let serverDelay = firstDelayMs
  for (;;) {
    let waitMs: number
    try {
      const response = await http.open({
        method: 'GET',
        path: `${path}${path.includes('?') ? '&' : '?'}after=${last}`,
        headers: { accept: 'text/event-stream', 'last-event-id': String(last) },
        signal: options.signal,
        request_id: options.request_id,
      })
      const body = eventStreamBody(response)
      failures = 0
      const messages = readSse(body, {
        onRetry: (ms) => (serverDelay = ms),
        idle_timeout_ms: options.idle_timeout_ms ?? 45_000,
        signal: options.signal,
      })
      for await (const message of messages) {
        const value = objectOf(message.data)
        const placed = value === null ? null : read(value)
        if (placed === null) continue
        if (placed.seq !== null) {
          if (placed.seq <= last) continue
          last = placed.seq
        }
        yield placed.event
      }
      waitMs = serverDelay
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      failures += 1
      if (failures > (options.max_reconnects ?? 10)) throw error
      const backoff = backOffMs(failures - 1, serverDelay, maxDelayMs)
      waitMs = error instanceof ApiError && error.retry_after !== null ? error.retry_after * 1000 : backoff
    }
    await sleep(waitMs, options.signal)
  }
}

/** A refusal will be the same next time; a failure or a cut connection may pass. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 502
  return !(error instanceof ConnectionError && error.reason === 'not_api')
}

export function eventStreamBody(response: FetchAnswer): ReadableStream<Uint8Array> {
  const type = response.headers.get('content-type') ?? ''
  if (response.body !== null && type.startsWith('text/event-stream')) return response.body
  const url = response.url.replace(/\?.*$/, '')
  throw new ConnectionError(url, 'not_api', `${url} answered ${type || 'nothing'} instead of an event stream`)
}

/** Messages that are no objects (a greeting, a heartbeat) are null. */
function objectOf(data: string): object | null {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
