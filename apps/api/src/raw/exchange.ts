import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '@svc/access'
import type { Logger } from '@svc/boot'
import type { BaseContext, Context } from '@svc/services'
import { ClientLeft } from '../middleware/client-left.ts'
import { requestIdHeader, requestIdOf } from '../middleware/request-id.ts'
import type { ApiParts } from '../parts.ts'

/** One request that is streamed past the framework: git and the sandbox proxy. */
export interface Exchange {
  readonly request_id: string
  readonly log: Logger
  readonly signal: AbortSignal
}

/** Gives the request its id, and its log line and measurement once it is over. `route` is the pattern. */
export function openExchange(
  parts: ApiParts,
  route: string,
  req: IncomingMessage,
  res: ServerResponse,
): Exchange {
  const started = performance.now()
  const request_id = requestIdOf(header(req, 'x-request-id'))
  const log = parts.log.child({ request_id })
  const controller = new AbortController()
  res.setHeader(requestIdHeader, request_id)
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new ClientLeft())
    const seconds = (performance.now() - started) / 1000
    const method = req.method ?? 'GET'
    const { statusCode: status } = res
    parts.metrics?.observe({ method, route, status, seconds })
    log.info(
      {
        method,
        path: pathOf(req),
        status,
        duration_ms: Math.round(seconds * 1000),
        aborted: !res.writableFinished,
      },
      'request',
    )
  })
  return { request_id, log, signal: controller.signal }
}

export function contextOf(
  base: BaseContext,
  { log, signal }: Pick<Exchange, 'log' | 'signal'>,
  principal: Principal,
): Context {
  return { ...base, log, signal, principal }
}

export function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}

/** The path as it stands in the address line before a proxy rewrites it, without the query. */
export function pathOf(req: { originalUrl?: string; url?: string | undefined }): string {
  const [path = '/'] = (req.url ?? '/').split('?')
  return path
}

/** Repeated headers of these names make no sense: the first one counts. */
export function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value[0] : value
}
