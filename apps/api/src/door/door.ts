import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '@svc/access'
import { type Context, recordingRefusal } from '@svc/context'
import { causedBy } from '@svc/queue'
import type { ApiParts } from '../parts.ts'
import { ClientLeft } from './client-left.ts'
import type { Dialect } from './dialects.ts'
import type { RateHeaders } from '@svc/errors'
import { rendered, write } from './render.ts'
import { requestIdHeader } from './request-id.ts'
import type { RequestLimits } from './request-limits.ts'
import { beginSocketVisit, type SocketVisit } from './visit.ts'

/** A request on Node's own objects that ends with its client. */
export interface Exchange extends SocketVisit {
  readonly signal: AbortSignal
}

export interface DoorOptions {
  /** The pattern of the path, for measurements. */
  readonly route: string
  readonly dialect: Dialect
  /** Counts the request before any other check; counts by address when absent. */
  limit?(exchange: Exchange): Promise<RateHeaders>
}

export type Handler = (exchange: Exchange, req: IncomingMessage, res: ServerResponse) => Promise<void>

/**
 * The frame of a request that is served past the framework: its id, log line and measurement, the limit on its address,
 * and the answer to an error of its handler.
 */
export function throughDoor(
  parts: ApiParts,
  limited: RequestLimits,
  { route, dialect, limit = ({ address }) => limited.address(address) }: DoorOptions,
  handle: Handler,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    const exchange = beginExchange(parts, route, req, res)
    try {
      setHeaders(res, await limit(exchange))
      await handle(exchange, req, res)
    } catch (error) {
      if (error instanceof ClientLeft || exchange.signal.aborted) return
      if (!res.headersSent) return write(res, rendered(error, dialect, exchange))
      exchange.log.warn({ err: error }, 'an answer broke off')
      res.destroy()
    }
  }
}

function beginExchange(parts: ApiParts, route: string, req: IncomingMessage, res: ServerResponse): Exchange {
  const visit = beginSocketVisit(parts, req)
  const controller = new AbortController()
  res.setHeader(requestIdHeader, visit.request_id)
  res.once('close', () => {
    const aborted = !res.writableFinished
    if (aborted) controller.abort(new ClientLeft())
    visit.ended({ route, status: res.statusCode, ...(aborted ? { more: { aborted } } : {}) })
  })
  return Object.assign(visit, { signal: controller.signal })
}

/** The action and target of a request, as the audit log names them. */
export interface Named {
  readonly action: string
  readonly target: string
}

/**
 * The principal of a request, within the rate limit of its token; a credential that is known and refused is written
 * down.
 */
export async function admit(
  parts: ApiParts,
  limited: RequestLimits,
  visit: SocketVisit,
  named: Named,
  authenticated: () => Promise<Principal>,
): Promise<{ readonly principal: Principal; readonly limits: RateHeaders }> {
  const { log, trail, caller } = visit
  const principal = await recordingRefusal({ ...parts, log }, { ...named, trail }, authenticated)
  caller.principal = principal
  return { principal, limits: await limited.token(principal) }
}

export function contextOf(
  parts: ApiParts,
  { log, signal, trail, cause }: Exchange,
  principal: Principal,
): Context & { readonly trail: SocketVisit['trail'] } {
  const enqueue = causedBy(parts.enqueue, cause)
  return { ...parts, traceparent: cause.traceparent, enqueue, log, signal, principal, trail }
}

export function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}
