import { type GatewayPlace, gatewayProviders } from '@svc/db'
import { enterPlace, type Entering } from '../places/enter.ts'
import { presentProvider } from './present.ts'

/** The providers of this place alone: those of farther places are not its own to see. */
export async function listProviders(ctx: Entering, place: GatewayPlace) {
  await enterPlace(ctx, place, 'project.customize.read')
  const rows = await gatewayProviders.list(ctx.db, place)
  return { providers: rows.map(presentProvider) }
}
