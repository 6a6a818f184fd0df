import type { IncomingMessage } from 'node:http'
import { authenticate, type Context, recordAudit, recordingRefusal } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { bearerToken } from '@svc/facts'
import { authorizeProxy } from '@svc/services'
import { admit, contextOf, type Exchange } from '../door/door.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { header } from '../door/visit.ts'
import type { ApiParts } from '../parts.ts'
import type { Admission } from './passage.ts'
import { proxyRoute } from './route.ts'

/** The caller of `/v1/p/…`, who comes with a token. */
export async function admitWithToken(
  parts: ApiParts,
  limited: RequestLimits,
  exchange: Exchange,
  req: IncomingMessage,
  upgrade: boolean,
): Promise<Admission> {
  const token = bearerToken(header(req, 'authorization'))
  if (token === null)
    throw new ServiceError('unauthorized', 'This needs a token: Authorization: Bearer <token>')
  const named = { action: 'proxySandbox', target: exchange.path.replace(/^\/v1\//, '') }
  const { principal, limits } = await admit(parts, limited, exchange, named, () => authenticate(parts, token))
  const ctx = contextOf(parts, exchange, principal)
  const { external_id, ...admission } = await recordingRefusal(
    ctx,
    { ...named, principal, trail: exchange.trail },
    () => authorized(ctx, req, upgrade),
  )
  // The narrowest limit is the one that the answer tells.
  return { ...admission, limits: { ...limits, ...(await limited.sandbox(external_id)) } }
}

async function authorized(
  ctx: Context,
  req: IncomingMessage,
  upgrade: boolean,
): Promise<Omit<Admission, 'limits'> & { readonly external_id: string }> {
  const route = proxyRoute(req.url ?? '/')
  if (!route)
    throw new ServiceError(
      'not_found',
      'This is no address of a sandbox; one is /v1/p/{external_id}/{port}/: its session has the external_id',
    )
  const { external_id, port, path, query } = route
  const method = req.method ?? 'GET'
  const found = await authorizeProxy(ctx, { external_id, port, path, method, upgrade })
  const { endpoint, user_context, entry } = found
  const note = async (outcome: 'success' | 'failed') => {
    if (entry !== null) await recordAudit(ctx, ctx.db, { ...entry, outcome })
  }
  return { external_id, endpoint, url: found.path + query, user_context, note }
}
