import { ServiceError } from '@svc/errors'
import { authenticate, type BaseContext, requireFeature } from '@svc/services'

/** A gateway key reaches this gateway and nothing else; every other credential reaches everything but this gateway. */
export async function gatewayPrincipal(base: Pick<BaseContext, 'db' | 'now'>, header: string | undefined) {
  const token = /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined)
    throw new ServiceError('unauthorized', 'This needs a gateway key: Authorization: Bearer <key>')
  const principal = await authenticate(base, token)
  if (principal.type !== 'gateway')
    throw new ServiceError('forbidden', 'The model gateway takes gateway keys (svc_gw_) only')
  await requireFeature(base, principal.project_id, 'model_gateway')
  return principal
}

export type GatewayPrincipal = Awaited<ReturnType<typeof gatewayPrincipal>>
