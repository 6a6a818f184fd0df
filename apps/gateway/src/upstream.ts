import { type Agent, fetch, type Response as Answer } from 'undici'
import {
  connectionsWithin,
  type DeadlineEnv,
  deadlineReached,
  type Deadlines,
  deadlinesOf,
  TotalReached,
} from './deadlines.ts'
import { mapFailure, unreachable } from './map-failure.ts'
import { GatewayRefusal, refusalBody } from './refusal.ts'

/** Any OpenAI-compatible endpoint that the operator names. */
export interface Upstream {
  readonly base_url: string
  readonly api_key: string | null
  /** The id that is offered, and sent as it is. */
  readonly model: string
  readonly deadlines: Deadlines
}

export interface UpstreamEnv {
  readonly SVC_MODEL_BASE_URL?: string | undefined
  readonly SVC_MODEL_API_KEY?: string | undefined
  readonly SVC_MODEL?: string | undefined
}

/** The endpoint that the environment names; null for the demo model. */
export function upstreamOf(env: UpstreamEnv & DeadlineEnv): Upstream | null {
  const { SVC_MODEL_BASE_URL: base_url, SVC_MODEL_API_KEY: api_key = null, SVC_MODEL: model } = env
  if (base_url === undefined || model === undefined) return null
  return { base_url, api_key, model, deadlines: deadlinesOf(env) }
}

/** Sends a conversation on as it is and gives the answer as it comes. Ends with the caller. */
export type Forward = (body: string, signal: AbortSignal) => Promise<Response>

/** Headers of an answer that mean something to a model client. */
const passedOn = ['content-type', 'x-request-id', 'openai-processing-ms']
const maxFailureLength = 64 * 1024

export function forwardTo(upstream: Upstream): Forward {
  const connections = connectionsWithin(upstream.deadlines)
  return async (body, signal) => {
    const call = new AbortController()
    const total = setTimeout(() => call.abort(new TotalReached()), upstream.deadlines.total_ms)
    const leave = () => call.abort(signal.reason)
    signal.addEventListener('abort', leave)
    const end = () => {
      clearTimeout(total)
      signal.removeEventListener('abort', leave)
    }
    try {
      signal.throwIfAborted()
      const answer = await ask(upstream, connections, body, call.signal)
      const isStream = /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '')
      const stream = answer.ok && isStream ? answer.body : null
      if (stream === null) return await readWhole(answer).finally(end)
      // Once the answer streams, its reader ends it.
      signal.removeEventListener('abort', leave)
      return answerWith(answer, passed(stream, end))
    } catch (error) {
      end()
      if (error instanceof GatewayRefusal) throw error
      throw deadlineReached(error) ?? unreachable(error)
    }
  }
}

function ask(
  { base_url, api_key }: Upstream,
  dispatcher: Agent,
  body: string,
  signal: AbortSignal,
): Promise<Answer> {
  return fetch(`${base_url.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(api_key === null ? {} : { Authorization: `Bearer ${api_key}` }),
    },
    body,
    signal,
    redirect: 'error',
    dispatcher,
  })
}

/** Read to its end first, so that a provider that stops within it is still a refusal. */
async function readWhole(answer: Answer): Promise<Response> {
  const content = Buffer.from(await answer.arrayBuffer())
  if (answer.ok) return answerWith(answer, content)
  const said = content.toString('utf8').slice(0, maxFailureLength)
  throw new GatewayRefusal(mapFailure(answer.status, said, answer.headers.get('retry-after')))
}

function answerWith(answer: Answer, body: ReadableStream<Uint8Array> | Buffer<ArrayBuffer>): Response {
  const headers = new Headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  for (const name of passedOn) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(body, { status: answer.status, headers })
}

/** The events as they come; a deadline that is reached among them is told by one more. */
function passed(events: NonNullable<Answer['body']>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = events.getReader()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        const late = deadlineReached(error)
        if (late === null) controller.error(error)
        else {
          controller.enqueue(Buffer.from(`data: ${JSON.stringify(refusalBody(late.refusal))}\n\n`))
          controller.close()
        }
      }
      onEnd()
    },
    cancel: async (reason) => {
      onEnd()
      await reader.cancel(reason)
    },
  })
}
