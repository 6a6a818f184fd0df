import { setMaxListeners } from 'node:events'
import { boundedRequest } from '@svc/contract'
import { isDatabaseAway } from '@svc/db'
import { addressedText, countedBody, type Dialect, dialects, parseBody } from '@svc/models'
import { type Context, Hono } from 'hono'
import { Stopping } from './call/metered-call.ts'
import { runCall } from './call/run-call.ts'
import { keyOf } from './door/key.ts'
import { knownCallers } from './door/known-callers.ts'
import { type Refusal, refusalOf, refusalResponse, refuse } from './door/refusal.ts'
import { contentCall } from './door/content-call.ts'
import { gatewayCore, type GatewayParts } from './gateway-core.ts'
import { countInput } from './models/count-tokens.ts'
import { listNamedHourly } from './models/list-named.ts'
import { listModels, modelIn, modelLists } from './models/list-models.ts'

interface GatewayEnv {
  Variables: { request_id: string }
}

/** Conversations hold whole files and pictures. */
const maxBodyBytes = 32 * 1024 * 1024
/** The API's own roots end in `/v1` for OpenAI's clients; Anthropic's add it themselves. */
const roots = ['', '/v1'] as const
const countPath = '/messages/count_tokens'
const contents = dialects.generate_content

export interface Gateway {
  readonly app: Hono<GatewayEnv>
  /** Ends every call that still runs, in the words of its dialect. */
  endCalls(): void
  close(): Promise<void>
}

/** The model gateway, at `/v1/llm`. Bodies and keys are never logged. */
export function openGateway(parts: GatewayParts): Gateway {
  const stop = new AbortController()
  // Each call that runs listens to it.
  setMaxListeners(0, stop.signal)
  const core = gatewayCore(parts, stop.signal)
  const lists = modelLists(core)
  const isListed = parts.named?.some(({ models, api_key }) => models === undefined && api_key !== null)
  const endListing = isListed === true ? listNamedHourly(core, lists) : null
  const app = new Hono<GatewayEnv>().basePath('/v1/llm')
  app.onError((error, c) => {
    const refusal = refusalOf(error) ?? awayRefusal(error)
    const { request_id = '' } = c.var
    const facts = { request_id, status: refusal?.status, code: refusal?.code }
    if (!refusal) parts.log.error({ err: error, request_id }, 'a model request failed')
    else if (error.cause !== undefined)
      parts.log.warn({ err: error.cause, ...facts }, 'a model request was refused')
    else parts.log.info(facts, 'a model request was refused')
    const said = refusal ?? { status: 500, code: 'internal_error', message: 'Something went wrong' }
    const response = refusalResponse(said, dialectOf(c.req.path), request_id)
    response.headers.set('X-Request-Id', request_id)
    return response
  })
  app.notFound((c) =>
    refusalResponse(
      {
        status: 404,
        code: 'not_found',
        message:
          'There is nothing at this path; calls go to /v1/llm/chat/completions, /responses, /messages or /embeddings',
      },
      dialectOf(c.req.path),
      c.var.request_id ?? '',
    ),
  )
  app.use(async (c, next) => {
    c.set('request_id', parts.newId())
    await next()
    // The answer's own headers: by `c.header` Hono would build the answer and its stream anew.
    c.res.headers.set('X-Request-Id', c.var.request_id)
  })
  const callers = knownCallers()
  const callerOf = ({ req }: Context<GatewayEnv>) => callers.find(parts, keyOf(req.raw.headers))
  const ask = async (c: Context<GatewayEnv>, dialect: Dialect, read: () => Promise<string>) => {
    const { request_id } = c.var
    const { raw } = c.req
    const presumed = callers.presume(keyOf(raw.headers))
    const caller = presumed?.caller ?? (await callerOf(c))
    const { project_id, session_id } = caller
    /** Refuses by what holds now, where a presumed caller stands behind a refusal. */
    const isStale = (error: unknown) => {
      if (presumed === null || presumed.isConfirmed) throw error
      return callerOf(c)
    }
    const text = await read().catch(async (error: unknown) => {
      await isStale(error)
      throw error
    })
    const asked = {
      ...{ dialect, request_id, text },
      search: new URL(raw.url).search,
      headers: raw.headers,
      traceparent: c.req.header('traceparent'),
      signal: raw.signal,
    }
    const started = performance.now()
    const response = await runCall(core, { ...asked, caller, presumed }).catch(async (error: unknown) =>
      runCall(core, { ...asked, caller: await isStale(error), presumed: null }),
    )
    const duration_ms = Math.round(performance.now() - started)
    parts.log.info(
      { request_id, project_id, session_id, status: response.status, duration_ms },
      'model request',
    )
    return response
  }
  for (const root of roots) {
    app.get(`${root}/models`, async (c) => {
      const data = await listModels(core, lists, await callerOf(c))
      const ids = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
      return c.json({ object: 'list', data, has_more: false, ...ids })
    })
    app.get(`${root}/models/:id{.+}`, async (c) => {
      const found = modelIn(await listModels(core, lists, await callerOf(c)), c.req.param('id'))
      if (found) return c.json(found)
      throw refuse(
        404,
        'model_not_found',
        `There is no model ${JSON.stringify(c.req.param('id'))} for this key; list those that there are: GET /v1/llm/models`,
      )
    })
    app.post(`${root}${countPath}`, async (c) => {
      const { raw } = c.req
      const caller = await callerOf(c)
      const { estimated, ...counted } = await countInput(core, {
        caller,
        dialect: dialects.messages,
        body: parseBody(await bodyOf(raw)),
        search: new URL(raw.url).search,
        headers: raw.headers,
        signal: raw.signal,
      })
      return c.json(counted, 200, estimated ? { 'X-Svc-Estimated': 'true' } : {})
    })
    for (const dialect of Object.values(dialects)) {
      if (dialect.name === 'generate_content') continue
      app.post(`${root}${dialect.path}`, (c) => ask(c, dialect, () => bodyOf(c.req.raw)))
    }
    app.post(`${root}${contents.path}/:call{.+}`, async (c) => {
      const { raw } = c.req
      const called = c.req.param('call')
      if (!called.endsWith(':countTokens'))
        return ask(c, contents, async () => {
          const { model, method } = contentCall(called)
          const stream = method === 'streamGenerateContent'
          if (stream && c.req.query('alt') !== 'sse')
            throw refuse(400, 'invalid_request', 'alt: this gateway streams events alone; add ?alt=sse')
          return addressedText(await bodyOf(raw), { model, stream })
        })
      const caller = await callerOf(c)
      const { model } = contentCall(called)
      const { estimated, input_tokens } = await countInput(core, {
        caller,
        dialect: contents,
        body: countedBody(await bodyOf(raw), model),
        search: '',
        headers: raw.headers,
        signal: raw.signal,
      })
      return c.json({ totalTokens: input_tokens }, 200, estimated ? { 'X-Svc-Estimated': 'true' } : {})
    })
  }
  app.all('*', async (c) => {
    await callerOf(c)
    return c.notFound()
  })
  return {
    app,
    endCalls: () => stop.abort(new Stopping()),
    async close() {
      endListing?.()
      stop.abort(new Stopping())
      await core.meter.close()
      core.pools.close()
    },
  }
}

/** The routes alone, of a gateway that lives as long as its process. */
export function createGateway(parts: GatewayParts): Hono<GatewayEnv> {
  return openGateway(parts).app
}

function dialectOf(path: string): Dialect {
  const below = path.replace(/^\/v1\/llm(\/v1(?=\/))?/, '')
  if (below === countPath) return dialects.messages
  if (below.startsWith(`${contents.path}/`)) return contents
  return Object.values(dialects).find((dialect) => dialect.path === below) ?? dialects.chat
}

function awayRefusal(error: unknown): Refusal | null {
  if (!isDatabaseAway(error)) return null
  return {
    status: 503,
    code: 'temporarily_unavailable',
    message: 'The platform cannot count this call right now; try again in a moment',
    retry_after: '2',
  }
}

async function bodyOf(raw: Request): Promise<string> {
  const request = (await boundedRequest(raw, maxBodyBytes)) ?? tooLarge()
  return request.text()
}

function tooLarge(): never {
  throw refuse(
    413,
    'payload_too_large',
    `The conversation is larger than ${maxBodyBytes} bytes; send less of it`,
  )
}
