import { keptOutBy, type ModelName, modelText, splitModelName } from '@svc/models'
import { gatewayProviderLists } from '@svc/db'
import { askModels, type OfferedModel } from '@svc/spend'
import { LRUCache } from 'lru-cache'
import { chooseModel } from '../call/choose-model.ts'
import { allowlistsOf, type GatewayConfig } from '../config/config.ts'
import type { Provider } from '../config/provider.ts'
import type { GatewayCore } from '../gateway-core.ts'
import type { GatewayCaller } from '../door/authenticate.ts'
import { demoModel } from '../demo-model/completion.ts'

const hourMs = 3_600_000

/** The models of providers that name none, as their upstreams list them, kept for an hour. */
export function modelLists(core: Pick<GatewayCore, 'db' | 'now' | 'pools' | 'secretOf' | 'log'>) {
  const kept = new LRUCache<string, readonly OfferedModel[]>({ max: 500, ttl: hourMs })
  return async (provider: Provider): Promise<readonly OfferedModel[]> => {
    if (provider.models !== null) return provider.models
    const known = kept.get(provider.provider_id)
    if (known) return known
    try {
      const secret = core.secretOf(provider, provider.keys[0] ?? null)
      const { models, status } = await askModels(provider, secret, core.pools.of(provider))
      if (models === null) throw new Error(`it answered ${status}`)
      kept.set(provider.provider_id, models)
      if (provider.keys.some(({ row }) => row?.variable != null))
        await gatewayProviderLists.keep(core.db, provider.provider_id, models, core.now())
      return models
    } catch (err) {
      core.log.warn({ err, provider: provider.slug }, 'a provider does not list its models')
      return []
    }
  }
}

export type ModelLists = ReturnType<typeof modelLists>

/** The models that a key may call, in the one shape that the clients of both dialects read. */
export async function listModels(
  core: GatewayCore,
  lists: ModelLists,
  caller: GatewayCaller,
): Promise<readonly ListedModel[]> {
  const config = await core.config(caller)
  const allowed = allowlistsOf(config, core.offered_models, caller)
  const providers = config.providers.filter(({ enabled }) => enabled)
  const found = await Promise.all(
    providers.map(async (provider) =>
      (await lists(provider))
        .map((model) => ({ name: { provider: provider.slug, id: model.id }, model, provider }))
        .filter(({ name }) => keptOutBy(allowed, name) === null),
    ),
  )
  const all = found.flat().map((one) => listed(config, one, core.now()))
  // Runtimes that are told of none take the first.
  const wanted = modelText(chooseModel(config, null, caller, core.default_model))
  return [...all.filter(({ id }) => id === wanted), ...all.filter(({ id }) => id !== wanted)]
}

export type ListedModel = ReturnType<typeof listed>

function listed(
  config: GatewayConfig,
  {
    name,
    model,
    provider,
  }: { readonly name: ModelName; readonly model: OfferedModel; readonly provider: Provider },
  now: Date,
) {
  const id = modelText(name)
  const display_name = model.name ?? model.id
  return {
    id,
    object: 'model',
    type: 'model',
    created: 0,
    created_at: new Date(0).toISOString(),
    owned_by: provider.kind === 'demo' ? demoModel.owned_by : provider.slug,
    display_name,
    name: display_name,
    context_window: model.context_window ?? null,
    max_output_tokens: model.max_output_tokens ?? null,
    prices: config.priceOf(name, provider, now)?.card ?? null,
  } as const
}

/** The one of a list that a path names. */
export function modelIn(list: readonly ListedModel[], text: string): ListedModel | undefined {
  const asked = splitModelName(text)
  const names = asked?.provider === 'svc' ? [text, asked.id] : [text]
  return (
    list.find(({ id }) => names.includes(id)) ??
    list.find(({ id }) => id.split('/').slice(1).join('/') === text)
  )
}
