import type { Context } from '@svc/context'
import { gatewayProviderLists, type gatewayProviders, type ProviderModel } from '@svc/db'
import {
  allowlists,
  keptOutBy,
  modelText,
  offeredDefaults,
  ownProvider,
  priceIdOf,
  priceOf,
} from '@svc/models'
import { LRUCache } from 'lru-cache'
import { decidedFor, offersOf } from '../places/decided.ts'
import { enterPlace, type Entering } from '../places/enter.ts'
import type { OfferedModel } from './ask-models.ts'
import { askOnce, usableKey } from './ask-once.ts'

type Listing = Entering & Pick<Context, 'settings' | 'provider_sealer' | 'log' | 'now'>

/** The models that the gateway offers a project, with their prices. */
export async function listGatewayModels(ctx: Listing, { project_id }: { readonly project_id: string }) {
  const entered = await enterPlace(ctx, { scope: 'project', project_id }, 'project.read')
  const decided = await decidedFor(ctx.db, entered)
  const { settings, prices } = decided
  const { project_model, account_model } = entered
  const { offered_models: operator_models = null, default_model: operator = null } = ctx.settings
  const named = { session: null, project: project_model, account: account_model, operator }
  const lists = allowlists(settings, { operator_models, agent_name: null, key_models: null })
  const enabled = decided.providers.filter((provider) => provider.enabled)
  const offered = await Promise.all(
    enabled.map(async (provider) => (await modelsOf(ctx, provider)).map((model) => ({ provider, model }))),
  )
  const own = offered.flat().find(({ provider }) => provider.slug === ownProvider)
  const chosen =
    offeredDefaults(settings, named, offersOf(decided))[0] ??
    (own === undefined ? null : { provider: ownProvider, id: own.model.id })
  const models = offered.flat().map(({ provider, model }) => {
    const name = { provider: provider.slug, id: model.id }
    const priced = priceOf(name, provider, prices, ctx.now())
    return {
      model: modelText(name),
      provider: provider.slug,
      provider_scope: provider.scope,
      kind: provider.kind,
      context_window: model.context_window ?? null,
      max_output_tokens: model.max_output_tokens ?? null,
      price: priced === null ? null : { price_id: priceIdOf(priced.card), ...priced },
      allowed: keptOutBy(lists, name) === null,
      default: chosen !== null && modelText(chosen) === modelText(name),
    }
  })
  return { models }
}

const hourMs = 3_600_000
const kept = new LRUCache<string, readonly OfferedModel[]>({ max: 500, ttl: hourMs })

const offered = (model: ProviderModel): OfferedModel => (typeof model === 'string' ? { id: model } : model)

/**
 * Those that the provider names, else those that it lists when it is asked, kept for an hour; by the gateway, where that
 * alone has the key.
 */
async function modelsOf(
  ctx: Listing,
  provider: gatewayProviders.ProviderWithKeys,
): Promise<readonly OfferedModel[]> {
  if (provider.models !== null) return provider.models.map(offered)
  const key = usableKey(ctx, provider)
  if (key.kind === 'unknown')
    return (await gatewayProviderLists.find(ctx.db, provider.provider_id))?.map(offered) ?? []
  const place = `${provider.provider_id} ${provider.updated_at.getTime()}`
  const known = kept.get(place)
  if (known) return known
  try {
    const { models } = await askOnce(ctx, provider, key.kind === 'none' ? null : key.secret)
    if (models !== null) kept.set(place, models)
    return models ?? []
  } catch (err) {
    ctx.log.warn({ err, provider: provider.slug }, 'a model provider does not list its models')
    return []
  }
}
