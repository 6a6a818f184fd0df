import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@svc/errors'
import { authenticate, authorizeProxy } from '@svc/services'
import { bearerToken } from '../middleware/authenticate.ts'
import type { ApiParts } from '../parts.ts'
import { contextOf, type Exchange, header } from '../raw/exchange.ts'
import { proxyRoute } from './route.ts'

export interface Admission {
  readonly external_id: string
  readonly endpoint: string
  /** Path and query, as the daemon is asked for them. */
  readonly url: string
  readonly user_context: string
}

/** Who may reach which port of which sandbox, and where that sandbox is. */
export async function admit(
  parts: ApiParts,
  exchange: Pick<Exchange, 'log' | 'signal'>,
  req: IncomingMessage,
): Promise<Admission> {
  const token = bearerToken(header(req, 'authorization'))
  if (token === null)
    throw new ServiceError('unauthorized', 'This needs a token: Authorization: Bearer <token>')
  const principal = await authenticate(parts, token)
  const route = proxyRoute(req.url ?? '/')
  if (!route) throw new ServiceError('not_found', 'A sandbox is at /v1/p/{external_id}/{port}/')
  const { external_id, port, path, query } = route
  const method = req.method ?? 'GET'
  const found = await authorizeProxy(contextOf(parts, exchange, principal), {
    external_id,
    port,
    path,
    method,
  })
  return { external_id, endpoint: found.endpoint, url: found.path + query, user_context: found.user_context }
}
