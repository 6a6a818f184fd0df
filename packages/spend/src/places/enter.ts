import { type Context, requireAccount, requirePlatformAdmin, requireProject } from '@svc/context'
import { accounts, type GatewayPlace } from '@svc/db'

export type Entering = Pick<Context, 'db' | 'principal' | 'trail'>

/** A place that the caller may look into, or change. */
export interface EnteredPlace {
  readonly place: GatewayPlace
  readonly account_id: string | null
  readonly project_id: string | null
  /** Defaults of earlier settings, which those of the gateway go before. */
  readonly project_model: string | null
  readonly account_model: string | null
}

type Capability = Parameters<typeof requireProject>[2]

/** The place; refuses a caller without the capability on that project, or who is no admin of that account or platform. */
export async function enterPlace(
  ctx: Entering,
  place: GatewayPlace,
  capability: Capability,
): Promise<EnteredPlace> {
  if (place.scope === 'operator') {
    await requirePlatformAdmin(ctx)
    return { place, account_id: null, project_id: null, project_model: null, account_model: null }
  }
  if (place.scope === 'account') {
    const { account_id, default_model } = await requireAccount(ctx, place.account_id, 'admin')
    return { place, account_id, project_id: null, project_model: null, account_model: default_model }
  }
  const { account_id, project_id, default_model } = await requireProject(ctx, place.project_id, capability)
  const account = await accounts.find(ctx.db, account_id)
  const account_model = account?.default_model ?? null
  return { place, account_id, project_id, project_model: default_model, account_model }
}
