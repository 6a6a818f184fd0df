import { type Principal, tokenPrefix } from '@svc/access'
import {
  type AuditTrail,
  authenticate,
  type BaseContext,
  newTrail,
  recordingRefusal,
  requireGateway,
  storedCredential,
} from '@svc/context'
import { gatewayAccess, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'

export type GatewayContext = Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>

/** A gateway key reaches this gateway and nothing else; every other credential reaches everything but this gateway. */
async function gatewayPrincipal(base: GatewayContext, token: string) {
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

/** The caller that may ask models now. One query says so; all others say why not, and write that down. */
export async function gatewayCaller(base: GatewayContext, token: string): Promise<GatewayCaller> {
  const stored = storedCredential(token)
  const now = base.now()
  const caller =
    stored?.prefix === 'svc_gw_' ? await gatewayAccess.find(base.db, stored.hash, now) : undefined
  if (caller === undefined) {
    await gatewayPrincipal(base, token)
    throw new ServiceError('unauthorized', 'The token is missing or not valid; sign in again')
  }
  if (caller.is_stale_use) await tokens.touch(base.db, caller.token_id, now)
  return caller
}

export type GatewayCaller = gatewayAccess.GatewayAccess
