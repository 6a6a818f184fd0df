import { type Principal, tokenPrefix } from '@svc/access'
import {
  type AuditTrail,
  authenticate,
  type BaseContext,
  newTrail,
  recordingRefusal,
  requireGateway,
} from '@svc/context'
import { ServiceError } from '@svc/errors'

type GatewayContext = Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>

/** A gateway key reaches this gateway and nothing else; every other credential reaches everything but this gateway. */
export async function gatewayPrincipal(base: GatewayContext, header: string | undefined) {
  const token = /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined)
    throw new ServiceError('unauthorized', 'This needs a gateway key: Authorization: Bearer <key>')
  if (isElsewhere(token)) throw notAKey()
  const trail = newTrail(base.newId(), null)
  const request = { action: 'askModel', target: 'llm', trail }
  const principal = await recordingRefusal(base, request, () => authenticate(base, token))
  return recordingRefusal(base, { ...request, principal }, () => admitted({ ...base, trail }, principal))
}

async function admitted(ctx: GatewayContext & { readonly trail: AuditTrail }, principal: Principal) {
  if (principal.type !== 'gateway') throw notAKey()
  await requireGateway(ctx, principal.project_id)
  return principal
}

/** A sign-in's, an app's or a sandbox's: the gateway may not read where those are kept, so it does not look one up. */
function isElsewhere(token: string): boolean {
  return ['svc_usr_', 'svc_oat_', 'svc_sbx_'].some((prefix) => prefix === tokenPrefix(token))
}

function notAKey(): ServiceError {
  return new ServiceError(
    'forbidden',
    'The model gateway takes gateway keys (svc_gw_) only; make one with svc gateway keys new <name>',
    { action: 'askModel' },
  )
}

export type GatewayPrincipal = Awaited<ReturnType<typeof gatewayPrincipal>>
