import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@svc/errors'
import type { SandboxEndpoint } from '@svc/sandbox'
import { authorizeProxy, type Context, recordAudit, recordRefusal } from '@svc/services'
import { admit, contextOf, type Exchange } from '../door/door.ts'
import type { RateHeaders } from '../door/rate-headers.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { header } from '../door/visit.ts'
import { bearerToken } from '../middleware/authenticate.ts'
import type { ApiParts } from '../parts.ts'
import { proxyRoute } from './route.ts'

export interface ProxyAdmission {
  readonly external_id: string
  readonly endpoint: SandboxEndpoint
  /** Path and query, as the daemon is asked for them. */
  readonly url: string
  readonly user_context: string
  /** What the answer tells of the limits on requests. */
  readonly limits: RateHeaders
  /** Writes down what the sandbox is about to be told, or that it did not take it. */
  note(outcome: 'success' | 'failed'): Promise<void>
}

/** Who may reach which port of which sandbox, and where that sandbox is. A refusal is written down. */
export async function admitToSandbox(
  parts: ApiParts,
  limited: RequestLimits,
  visit: Exchange,
  req: IncomingMessage,
  upgrade = false,
): Promise<ProxyAdmission> {
  const token = bearerToken(header(req, 'authorization'))
  if (token === null)
    throw new ServiceError('unauthorized', 'This needs a token: Authorization: Bearer <token>')
  const named = { action: 'proxySandbox', target: visit.path.replace(/^\/v1\//, '') }
  const { principal, limits } = await admit(parts, limited, visit, token, named)
  const ctx = contextOf(parts, visit, principal)
  const admission = await authorized(ctx, req, upgrade).catch(async (error: unknown) => {
    await recordRefusal(ctx, error, { ...named, principal, trail: visit.trail })
    throw error
  })
  // The narrowest limit is the one that the answer tells.
  return { ...admission, limits: { ...limits, ...(await limited.sandbox(admission.external_id)) } }
}

async function authorized(
  ctx: Context,
  req: IncomingMessage,
  upgrade: boolean,
): Promise<Omit<ProxyAdmission, 'limits'>> {
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
