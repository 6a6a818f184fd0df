import { type Db, type GatewayPlace, gatewayProviders } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** The provider of this very place; throws `not_found`. */
export async function requireProvider(db: Db, place: GatewayPlace, slug: string) {
  const found = await gatewayProviders.find(db, place, slug)
  if (found) return found
  throw new ServiceError(
    'not_found',
    `There is no model provider ${JSON.stringify(slug)} here; list the providers`,
  )
}

/** The same to change it: one that the operator's settings name is changed there alone. */
export async function requireOwnProvider(db: Db, place: GatewayPlace, slug: string) {
  const found = await requireProvider(db, place, slug)
  if (found.managed_by === 'api') return found
  const where = slug === 'svc' ? 'SVC_MODEL_BASE_URL' : 'SVC_GATEWAY_PROVIDERS'
  throw new ServiceError(
    'conflict',
    `The settings of the gateway name the provider ${slug}; change it in ${where}`,
  )
}
