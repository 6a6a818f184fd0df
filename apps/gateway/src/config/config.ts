import { type Db, type gatewayAccess, gatewayProviders, type GatewaySettingsRow } from '@svc/db'
import {
  type Allowlist,
  allowlists,
  type ModelName,
  nearestProviders,
  ownProvider,
  type Priced,
  priceOf,
  settingsByPlace,
} from '@svc/models'
import { LRUCache } from 'lru-cache'
import { type Provider, providerOf } from './provider.ts'

/** The decisions of three places about the models of a project. */
export interface GatewayConfig {
  /** Each slug once, of its nearest place. */
  readonly providers: readonly Provider[]
  readonly settings: Readonly<Partial<Record<Provider['scope'], GatewaySettingsRow>>>
  /** The price of a model, and who set it; null for a model without one. */
  priceOf(name: ModelName, provider: Provider, now: Date): Priced | null
}

const hourMs = 3_600_000

/** Configurations by project, read anew when their revision changes. */
export function configReader(db: Db, own: Provider) {
  const kept = new LRUCache<string, { readonly revision: string; readonly config: GatewayConfig }>({
    max: 1_000,
  })
  return async (caller: gatewayAccess.GatewayAccess): Promise<GatewayConfig> => {
    const { project_id, revision } = caller
    const known = kept.get(project_id)
    if (known?.revision === revision) return known.config
    const config = await load(db, own, caller)
    kept.set(project_id, { revision, config })
    return config
  }
}

async function load(
  db: Db,
  own: Provider,
  caller: Pick<gatewayAccess.GatewayAccess, 'project_id' | 'account_id'>,
): Promise<GatewayConfig> {
  const found = await gatewayProviders.ofProject(db, caller)
  const others = nearestProviders(found.providers.filter(({ slug }) => slug !== ownProvider))
  const cards = new LRUCache<string, { readonly priced: Priced | null }>({ max: 500, ttl: hourMs })
  return {
    providers: [own, ...others.map(providerOf)],
    settings: settingsByPlace(found.settings),
    priceOf(name, provider, now) {
      const key = `${name.provider}/${name.id}`
      const known = cards.get(key)
      if (known) return known.priced
      const priced = priceOf(name, provider, found.prices, now)
      cards.set(key, { priced })
      return priced
    },
  }
}

/** The lists that all must let a model through. */
export function allowlistsOf(
  { settings }: GatewayConfig,
  operator_models: readonly string[] | null,
  { agent_name, key_models }: Pick<gatewayAccess.GatewayAccess, 'agent_name' | 'key_models'>,
): readonly Allowlist[] {
  return allowlists(settings, { operator_models, agent_name, key_models })
}
