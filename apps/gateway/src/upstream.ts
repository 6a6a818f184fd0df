import { mapFailure, unreachable } from './map-failure.ts'
import { GatewayRefusal } from './refusal.ts'

/** Any OpenAI-compatible endpoint that the operator names. */
export interface Upstream {
  readonly base_url: string
  readonly api_key: string | null
  /** The id that is offered, and sent as it is. */
  readonly model: string
}

export interface UpstreamEnv {
  readonly SVC_MODEL_BASE_URL?: string | undefined
  readonly SVC_MODEL_API_KEY?: string | undefined
  readonly SVC_MODEL?: string | undefined
}

/** The endpoint that the environment names; null for the demo model. */
export function upstreamOf({
  SVC_MODEL_BASE_URL,
  SVC_MODEL_API_KEY,
  SVC_MODEL,
}: UpstreamEnv): Upstream | null {
  if (SVC_MODEL_BASE_URL === undefined || SVC_MODEL === undefined) return null
  return { base_url: SVC_MODEL_BASE_URL, api_key: SVC_MODEL_API_KEY ?? null, model: SVC_MODEL }
}

/** Headers of an answer that mean something to a model client. */
const passedOn = ['content-type', 'x-request-id', 'openai-processing-ms']
const maxFailureLength = 64 * 1024

/** Sends the conversation on as it is and streams the answer back as it comes. Ends with the caller. */
export async function forward(upstream: Upstream, body: string, signal: AbortSignal): Promise<Response> {
  const answer = await ask(upstream, body, signal)
  if (!answer.ok) {
    const text = (await answer.text().catch(() => '')).slice(0, maxFailureLength)
    throw new GatewayRefusal(mapFailure(answer.status, text, answer.headers.get('retry-after')))
  }
  const headers = new Headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  for (const name of passedOn) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(answer.body, { status: answer.status, headers })
}

/** The caller's signal ends the wait for an answer; once the answer streams, whoever reads it ends it. */
async function ask({ base_url, api_key }: Upstream, body: string, signal: AbortSignal): Promise<Response> {
  const controller = new AbortController()
  const leave = () => controller.abort(signal.reason)
  signal.addEventListener('abort', leave)
  try {
    signal.throwIfAborted()
    return await fetch(`${base_url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(api_key === null ? {} : { Authorization: `Bearer ${api_key}` }),
      },
      body,
      signal: controller.signal,
      redirect: 'error',
    })
  } catch (error) {
    throw unreachable(error)
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
