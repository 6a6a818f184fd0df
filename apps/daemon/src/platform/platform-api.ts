import { sandboxIdentity, TranscriptMessage } from '@svc/contract/sandbox'
import { z } from 'zod'
import { daemonLimits } from '../limits.ts'

type TurnStream = z.input<typeof sandboxIdentity.TurnStreamBody>
/** One report without the session id, which the client adds. */
export type TurnReport = TurnStream extends infer Body
  ? Body extends TurnStream
    ? Omit<Body, 'session_id'>
    : never
  : never
export type CloneCredential = z.infer<typeof sandboxIdentity.CloneCredential>

const History = z.object({ messages: z.array(TranscriptMessage) })
export type HistoryMessage = z.infer<typeof TranscriptMessage>

const Answer = z
  .object({
    provider_url: z.string().optional(),
    provider_headers: z.record(z.string(), z.string()).optional(),
  })
  .loose()
export type TurnAnswer = z.infer<typeof Answer>

/** `status` is null when no server answered. */
export class PlatformError extends Error {
  readonly status: number | null
  readonly retry_after_ms: number | null
  constructor(message: string, status: number | null, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause })
    this.name = 'PlatformError'
    this.status = status
    this.retry_after_ms = retryAfterMs
  }

  /** No server answered, or only a proxy in front of the platform. */
  get away(): boolean {
    return this.status === null || [502, 503, 504].includes(this.status)
  }

  /** The same request can never succeed; a refused credential may come back with the session. */
  get permanent(): boolean {
    return this.status !== null && [400, 404, 413, 415, 422].includes(this.status)
  }
}

export interface PlatformApi {
  report(report: TurnReport): Promise<TurnAnswer>
  question(body: { request_id: string; questions: unknown[] }): Promise<void>
  permission(body: { request_id: string; permission: string; patterns: string[] }): Promise<void>
  cloneCredential(): Promise<CloneCredential>
  /** The conversation of this session so far, turn by turn. */
  history(): Promise<readonly HistoryMessage[]>
}

/** The sandbox-identity routes, with the sandbox service key as bearer. `onContact` hears of every answer given to it. */
export function createPlatformApi(parts: {
  readonly api_url: string
  readonly project_id: string
  readonly session_id: string
  readonly service_key: string
  readonly onContact: () => void
}): PlatformApi {
  const { api_url, project_id, session_id, service_key, onContact } = parts

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const headers: Record<string, string> = { authorization: `Bearer ${service_key}` }
    if (body) headers['content-type'] = 'application/json'
    const signal = AbortSignal.timeout(daemonLimits.platformRequestMs)
    const url = `${api_url}/projects/${project_id}/${path}`
    let response: Response
    let text: string
    try {
      const init = { method, headers, signal, redirect: 'error' as const }
      response = await fetch(url, body ? { ...init, body: JSON.stringify(body) } : init)
      text = await response.text()
    } catch (cause) {
      throw new PlatformError('The platform does not answer', null, null, cause)
    }
    if (!response.ok) {
      const seconds = Number(response.headers.get('retry-after'))
      const pause = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 60) * 1000 : null
      throw new PlatformError(`The platform answered ${response.status} to ${path}`, response.status, pause)
    }
    onContact()
    return parseJson(text)
  }

  return {
    report: async (report) =>
      Answer.catch({}).parse(await call('POST', 'turn-stream', { session_id, ...report })),
    question: async (body) => void (await call('POST', 'turn-question', { session_id, ...body })),
    permission: async (body) => void (await call('POST', 'turn-permission', { session_id, ...body })),
    history: async () => History.parse(await call('GET', 'session-history')).messages,
    cloneCredential: async () =>
      sandboxIdentity.CloneCredential.parse(await call('GET', 'git/clone-credential')),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
