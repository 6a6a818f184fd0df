import { type BaseContext, turnTrace } from '@svc/context'
import { boundedRequest } from '@svc/contract'
import { sessionPrompts } from '@svc/db'
import { Hono } from 'hono'
import { type GatewayPrincipal, gatewayPrincipal } from './authenticate.ts'
import { ChatRequest } from './chat-request.ts'
import { answerDemo } from './demo-model/answer.ts'
import { demoModel } from './demo-model/completion.ts'
import { measureModel, modelSpan } from './measure-model.ts'
import { refusalOf, refusalResponse, refuse } from './refusal.ts'
import { type Forward, forwardTo, type Upstream } from './upstream.ts'

export interface GatewayParts extends Pick<
  BaseContext,
  'db' | 'now' | 'newId' | 'log' | 'metrics' | 'tracing'
> {
  /** The provider to ask; null offers the scripted demo model. */
  readonly upstream: Upstream | null
}

interface GatewayEnv {
  Variables: { principal: GatewayPrincipal }
}

/** Conversations hold whole files and pictures. */
const maxBodyBytes = 32 * 1024 * 1024

/** The OpenAI-compatible model gateway, at `/v1/llm`. Bodies and keys are never logged. */
export function createGateway(parts: GatewayParts): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>().basePath('/v1/llm')
  const forward = parts.upstream === null ? null : forwardTo(parts.upstream)
  app.onError((error) => {
    const refusal = refusalOf(error)
    if (!refusal) parts.log.error({ err: error }, 'a model request failed')
    else if (error.cause !== undefined)
      parts.log.warn({ err: error.cause, code: refusal.code }, 'a model request was refused')
    return refusalResponse(
      refusal ?? { status: 500, code: 'internal_error', message: 'Something went wrong' },
    )
  })
  app.notFound(() =>
    refusalResponse({ status: 404, code: 'not_found', message: 'There is nothing at this path' }),
  )
  app.use(async (c, next) => {
    c.set('principal', await gatewayPrincipal(parts, c.req.header('Authorization')))
    await next()
  })
  app.get('/models', (c) => c.json({ object: 'list', data: [offered(parts.upstream)] }))
  app.post('/chat/completions', async (c) => {
    const { project_id, session_id } = c.var.principal
    const started = performance.now()
    const model = offered(parts.upstream).id
    const parent = c.req.header('traceparent') ?? (await turnOf(parts, session_id))
    const span = parts.tracing?.begin(modelSpan(model, c.var.principal, parent))
    const ask = measureModel(parts.metrics, model, span)
    const request = (await boundedRequest(c.req.raw, maxBodyBytes)) ?? tooLarge()
    const { signal } = c.req.raw
    const text = await request.text()
    const response = await ask.answered(() => answer(parts, forward, text, signal), signal)
    const duration_ms = Math.round(performance.now() - started)
    parts.log.info({ project_id, session_id, status: response.status, duration_ms }, 'model request')
    return response
  })
  return app
}

/** The trace of the turn that asks; runtimes say nothing of it. */
async function turnOf(
  { db, tracing }: Pick<GatewayParts, 'db' | 'tracing'>,
  session_id: string | null,
): Promise<string | undefined> {
  if (tracing === undefined || session_id === null) return undefined
  const turn = await sessionPrompts.findRunning(db, { session_id })
  return turn && turnTrace(turn).traceparent
}

async function answer(
  { upstream, now }: GatewayParts,
  forward: Forward | null,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  const request = parse(body)
  const { id } = offered(upstream)
  if (request.model !== undefined && request.model !== id) {
    throw refuse(
      404,
      'model_not_found',
      `The model ${JSON.stringify(request.model)} is not offered here; ${JSON.stringify(id)} is`,
    )
  }
  return forward === null ? answerDemo(request, now()) : forward(body, signal)
}

function parse(body: string): ChatRequest {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw refuse(400, 'malformed_json', 'The body is not JSON')
  }
  const request = ChatRequest.safeParse(value)
  if (request.success) return request.data
  const [issue] = request.error.issues
  throw refuse(400, 'invalid_request', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`)
}

function offered(upstream: Upstream | null) {
  return upstream === null
    ? demoModel
    : { id: upstream.model, object: 'model', created: 0, owned_by: 'upstream', name: upstream.model }
}

function tooLarge(): never {
  throw refuse(413, 'payload_too_large', `The conversation is larger than ${maxBodyBytes} bytes`)
}
