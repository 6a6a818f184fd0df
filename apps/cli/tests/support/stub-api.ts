import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'

export interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Answers with JSON, or takes the response itself and returns nothing. */
export type Route = (call: Call, response: ServerResponse) => Answer | undefined

export interface StubApi {
  readonly origin: string
  readonly api_url: string
  readonly calls: Call[]
  /** The routes by "GET /v1/health"; may be changed while it runs. */
  readonly routes: Record<string, Route>
  /** Knows these routes and no call, and holds no connection. */
  reset(routes: Readonly<Record<string, Route>>): void
}

/** An API that knows the given routes, until the test file ends; everything else is a 404 of the API's own shape. */
export async function startApi(first: Readonly<Record<string, Route>> = {}): Promise<StubApi> {
  const calls: Call[] = []
  const routes = { ...first }
  const server = createServer((request, response) => {
    void text(request).then((raw) => {
      const url = new URL(request.url ?? '/', 'http://stub')
      const call: Call = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        // A form is shown as it came.
        body: raw === '' ? undefined : raw.startsWith('--') ? raw : JSON.parse(raw),
      }
      calls.push(call)
      const route = routes[`${call.method} ${call.path}`]
      const answer = route === undefined ? refusal(404, 'not_found', 'No such thing') : route(call, response)
      if (answer === undefined) return
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'x-request-id': 'req-7',
        ...answer.headers,
      })
      response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stub has no port')
  const origin = `http://127.0.0.1:${address.port}`
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    origin,
    api_url: `${origin}/v1`,
    calls,
    routes,
    reset(given) {
      server.closeAllConnections()
      calls.length = 0
      for (const name of Object.keys(routes)) delete routes[name]
      Object.assign(routes, given)
    },
  }
}

export function refusal(status: number, code: string, message: string, details: object = {}): Answer {
  return { status, body: { error: true, message, status, code, ...details } }
}

export function ok(body: unknown, headers: Record<string, string> = {}): Answer {
  return { status: 200, body, headers }
}
