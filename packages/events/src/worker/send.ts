import { retryAfterSeconds, signatureHeaders } from '@svc/event'
import { RefusedTarget } from '@svc/outbound'
import { type Dispatcher, request } from 'undici'

/** Milliseconds for one try, from the connection to the end of the answer. */
export const tryMs = 15_000
const maxAnswerBytes = 64 * 1024
const keptAnswer = 1024

export interface Outgoing {
  readonly url: string
  readonly event_id: string
  readonly body: string
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly attempt: number
  /** 0 for the first delivery of the event. */
  readonly replay: number
}

/** The end of one try. A status says that an answer came, whatever it was. */
export interface Answer {
  readonly status: number | null
  readonly error: string | null
  /** Seconds. */
  readonly retry_after: number | undefined
  readonly answer: string | null
}

/**
 * Posts an event, signed as of `at`. Follows no redirect and never throws for what the receiver does; null when the worker
 * ends meanwhile, and how it went is not known.
 */
export async function sendEvent(
  { wire, signal }: { readonly wire: Dispatcher; readonly signal: AbortSignal },
  { url, event_id, body, secrets, headers, attempt, replay }: Outgoing,
  at: Date,
): Promise<Answer | null> {
  // One signal of its own: each that is made of the worker's leaves something on it, which a delivery pays for.
  const [stop, time] = [new AbortController(), { isOver: false }]
  const end = () => stop.abort()
  const timer = setTimeout(() => {
    time.isOver = true
    end()
  }, tryMs)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: wire,
      signal: stop.signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'user-agent': 'svc-events/1',
        'svc-attempt': String(attempt),
        ...(replay > 0 && { 'svc-replay': String(replay) }),
        ...signatureHeaders({ id: event_id, at, body }, secrets),
      },
      body,
    })
    const { statusCode: status, headers: sent_back } = answer
    const text = await beginning(answer.body)
    const ok = status >= 200 && status < 300
    return {
      status,
      error: ok ? null : status >= 300 && status < 400 ? 'redirect' : 'refused',
      retry_after: retryAfterSeconds([sent_back['retry-after']].flat()[0], at),
      answer: text,
    }
  } catch (error) {
    if (signal.aborted) return null
    return {
      status: null,
      error: time.isOver ? 'timeout' : reasonOf(error),
      retry_after: undefined,
      answer: null,
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

async function beginning(body: AsyncIterable<Uint8Array> & { destroy(): void }): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxAnswerBytes) break
  }
  return Buffer.concat(chunks).subarray(0, keptAnswer).toString().replaceAll('\0', '')
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof RefusedTarget) return cause.code
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : 'unreachable'
}
