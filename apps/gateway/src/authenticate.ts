import type { Principal } from '@svc/access'
import { ServiceError } from '@svc/errors'
import {
  type AuditTrail,
  authenticate,
  type BaseContext,
  newTrail,
  recordRefusal,
  requireGateway,
} from '@svc/services'

type GatewayContext = Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>

/** A gateway key reaches this gateway and nothing else; every other credential reaches everything but this gateway. */
export async function gatewayPrincipal(base: GatewayContext, header: string | undefined) {
  const token = /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined)
    throw new ServiceError('unauthorized', 'This needs a gateway key: Authorization: Bearer <key>')
  const trail = newTrail(base.newId(), null)
  let principal: Principal | undefined
  try {
    principal = await authenticate(base, token)
    return await admitted({ ...base, trail }, principal)
  } catch (error) {
    await recordRefusal(base, error, { action: 'askModel', target: 'llm', principal, trail })
    throw error
  }
}

async function admitted(ctx: GatewayContext & { readonly trail: AuditTrail }, principal: Principal) {
  if (principal.type !== 'gateway')
    throw new ServiceError('forbidden', 'The model gateway takes gateway keys (svc_gw_) only', {
      action: 'askModel',
    })
  await requireGateway(ctx, principal.project_id)
  return principal
}

export type GatewayPrincipal = Awaited<ReturnType<typeof gatewayPrincipal>>
