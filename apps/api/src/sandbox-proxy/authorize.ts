import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@svc/errors'
import {
  authenticate,
  authorizeProxy,
  type Context,
  newTrail,
  recordAudit,
  recordRefusal,
} from '@svc/services'
import { bearerToken } from '../middleware/authenticate.ts'
import { clientAddress, noProxy } from '../middleware/client-address.ts'
import type { ApiParts } from '../parts.ts'
import type { RateHeaders } from '../rate-limit/headers.ts'
import type { RequestLimits } from '../rate-limit/request-limits.ts'
import { contextOf, type Exchange, header, pathOf } from '../raw/exchange.ts'
import { proxyRoute } from './route.ts'

export interface Admission {
  readonly external_id: string
  readonly endpoint: string
  /** Path and query, as the daemon is asked for them. */
  readonly url: string
  readonly user_context: string
  /** What the answer tells of the limits on requests. */
  readonly limits: RateHeaders
  /** Writes down what the sandbox is about to be told, or that it did not take it. */
  note(outcome: 'success' | 'failed'): Promise<void>
}

type Asked = Pick<Exchange, 'log' | 'signal' | 'request_id'>

/** Who may reach which port of which sandbox, and where that sandbox is. Who may not is written down. */
export async function admit(
  parts: ApiParts,
  limited: RequestLimits,
  exchange: Asked,
  req: IncomingMessage,
  upgrade = false,
): Promise<Admission> {
  const address = clientAddress(req, parts.is_proxy ?? noProxy)
  const of_address = await limited.address(address)
  const token = bearerToken(header(req, 'authorization'))
  if (token === null)
    throw new ServiceError('unauthorized', 'This needs a token: Authorization: Bearer <token>')
  const trail = newTrail(exchange.request_id, address)
  const named = { action: 'proxySandbox', target: pathOf(req).replace(/^\/v1\//, ''), trail }
  const log = { ...parts, log: exchange.log }
  const principal = await authenticate(parts, token).catch(async (error: unknown) => {
    await recordRefusal(log, error, named)
    throw error
  })
  const of_token = await limited.token(principal)
  const ctx = { ...contextOf(parts, exchange, principal), trail }
  const admission = await authorized(ctx, req, upgrade).catch(async (error: unknown) => {
    await recordRefusal(log, error, { ...named, principal })
    throw error
  })
  // The last that was asked is told.
  const of_sandbox = await limited.sandbox(admission.external_id)
  return { ...admission, limits: { ...of_address, ...of_token, ...of_sandbox } }
}

async function authorized(
  ctx: Context,
  req: IncomingMessage,
  upgrade: boolean,
): Promise<Omit<Admission, 'limits'>> {
  const route = proxyRoute(req.url ?? '/')
  if (!route) throw new ServiceError('not_found', 'A sandbox is at /v1/p/{external_id}/{port}/')
  const { external_id, port, path, query } = route
  const method = req.method ?? 'GET'
  const found = await authorizeProxy(ctx, { external_id, port, path, method, upgrade })
  const { endpoint, user_context, entry } = found
  const note = async (outcome: 'success' | 'failed') => {
    if (entry !== null) await recordAudit(ctx, ctx.db, { ...entry, outcome })
  }
  return { external_id, endpoint, url: found.path + query, user_context, note }
}
