import { type Context, requireGateway } from '@svc/context'
import { gatewayProviders, type RequestedSession } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { nearestProviders } from '@svc/models'

/**
 * Refuses pools of a project whose sessions have no model gateway, and a provider or a key that is not there: calls of
 * the session would have no key.
 */
export async function requirePools(
  ctx: Pick<Context, 'db' | 'settings'>,
  place: { readonly project_id: string; readonly account_id: string },
  pools: NonNullable<RequestedSession['provider_secret_pools']>,
): Promise<void> {
  await requireOpenGateway(ctx, place.project_id)
  const providers = nearestProviders((await gatewayProviders.ofProject(ctx.db, place)).providers)
  const issues = Object.entries(pools).flatMap(([slug, key_ids]) => {
    const path = `provider_secret_pools.${slug}`
    const provider = providers.find((one) => one.slug === slug)
    if (provider === undefined)
      return [{ path, message: `no model provider ${JSON.stringify(slug)} is known here` }]
    const known = provider.keys.map(({ key_id }) => key_id)
    return key_ids
      .filter((key_id) => !known.includes(key_id))
      .map((key_id) => ({ path, message: `${key_id} is no key of the provider ${slug}` }))
  })
  const [first] = issues
  if (first) throw new ServiceError('invalid_request', `${first.path}: ${first.message}`, { issues })
}

async function requireOpenGateway(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  project_id: string,
): Promise<void> {
  if (settings.llm_base_url === null)
    throw gatewayOff('The operator of this platform offers no model gateway')
  try {
    await requireGateway({ db }, project_id)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'feature_disabled') throw gatewayOff(error.message)
    throw error
  }
}

const gatewayOff = (reason: string) =>
  new ServiceError(
    'conflict',
    `provider_secret_pools are for sessions that have the model gateway. ${reason}`,
  )
