import type { IncomingMessage } from 'node:http'
import { newTrail } from '@svc/context'
import type { ApiParts } from '../parts.ts'
import { isRead } from './known-method.ts'
import { clientAddress, noProxy } from '@svc/platform/env'
import type { Cause } from '@svc/queue'
import { type Caller, callerFacts, spanEnd } from './access-line.ts'
import { knownMethod } from './known-method.ts'
import { requestIdOf } from './request-id.ts'

/** One request at any door: its id, and the line and the measurement that it ends with. */
export interface Visit {
  readonly request_id: string
  /** Made when it is first written to: a line that is not kept costs nothing. */
  readonly log: ApiParts['log']
  /** The line says who asked; filled in once it is known. */
  readonly caller: Caller
  /** The request behind the jobs that this one asks for. */
  readonly cause: Cause
  /** `route` is the pattern, never the path. */
  ended(answer: VisitEnd): void
}

export interface VisitEnd {
  readonly route: string
  readonly status: number
  /** Further fields of the line. */
  readonly more?: Readonly<Record<string, unknown>>
}

export interface VisitStart {
  readonly method: string
  /** The path without its query, which may hold a credential. */
  readonly path: string
  /** The caller's own id. */
  readonly request_id: string | undefined
  readonly ip: string | null
  /** The caller's own trace. */
  readonly traceparent: string | undefined
}

export function beginVisit(
  { log, metrics, tracing }: Pick<ApiParts, 'log' | 'metrics' | 'tracing'>,
  { method, path, ip, ...given }: VisitStart,
): Visit {
  const started = performance.now()
  const request_id = requestIdOf(given.request_id)
  const span = tracing?.begin({ name: method, kind: 'server', parent: given.traceparent })
  let own: ApiParts['log'] | undefined
  const caller: Caller = {}
  return {
    request_id,
    caller,
    cause: { request_id, ...(span && { traceparent: span.traceparent }) },
    get log() {
      return (own ??= log.child({ request_id, ...(span && { trace_id: span.trace_id }) }))
    },
    ended({ route, status, more }) {
      const seconds = (performance.now() - started) / 1000
      const labels = { method: knownMethod(method), route, status: String(status) }
      metrics.observe('svc_http_request_duration_seconds', labels, seconds)
      const isLogged = log.isLevelEnabled('info')
      if (!isLogged && span === undefined) return
      const duration_ms = Math.round(seconds * 1e5) / 100
      const facts = callerFacts({ ...caller, route, path })
      span?.end(spanEnd({ method, route, status }, facts))
      if (!isLogged) return
      this.log.info({ method, path, route, status, duration_ms, ip, ...facts, ...more }, 'request')
    },
  }
}

/** A request on Node's own objects. */
export interface SocketVisit extends Visit {
  readonly method: string
  readonly path: string
  readonly address: string | null
  /** The facts about it for the audit log. */
  readonly trail: ReturnType<typeof newTrail>
}

export function beginSocketVisit(parts: ApiParts, req: IncomingMessage): SocketVisit {
  const { method = 'GET' } = req
  const path = pathOf(req)
  const address = clientAddress(req, parts.is_proxy ?? noProxy)
  const visit = beginVisit(parts, {
    method,
    path,
    request_id: header(req, 'x-request-id'),
    ip: address,
    traceparent: header(req, 'traceparent'),
  })
  // What is upgraded goes on in both directions.
  const trail = newTrail(visit.request_id, address, isRead(method) && req.headers.upgrade === undefined)
  visit.caller.trail = trail
  return Object.assign(visit, { method, path, address, trail })
}

/** The path as it stands in the address line before a proxy rewrites it, without the query. */
export function pathOf(req: Pick<IncomingMessage, 'url'>): string {
  const [path = '/'] = (req.url ?? '/').split('?')
  return path
}

/** Repeated headers of these names make no sense: the first one counts. */
export function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value[0] : value
}
