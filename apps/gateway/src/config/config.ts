import { type Db, type gatewayAccess, gatewayProviders, type GatewaySettingsRow } from '@svc/db'
import { type Allowlist, libraryCard, type ModelName, ownProvider, type PriceCard } from '@svc/models'
import { LRUCache } from 'lru-cache'
import { type Provider, providerOf } from './provider.ts'

type Scope = Provider['scope']

/** The decisions of three places about the models of a project. */
export interface GatewayConfig {
  /** Each slug once, of its nearest place. */
  readonly providers: readonly Provider[]
  readonly settings: Readonly<Partial<Record<Scope, GatewaySettingsRow>>>
  /** The price of a model, and who set it; null for a model without one. */
  priceOf(name: ModelName, provider: Provider, now: Date): Priced | null
}

export interface Priced {
  readonly card: PriceCard
  readonly source: Scope | 'library'
}

const nearestFirst = ['project', 'account', 'operator'] as const
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
  const rows = nearestFirst.flatMap((scope) => found.providers.filter((row) => row.scope === scope))
  const nearest = new Map(
    rows
      .toReversed()
      .flatMap((row) => (row.slug === ownProvider ? [] : [[row.slug, providerOf(row)] as const])),
  )
  const cards = new LRUCache<string, { readonly priced: Priced | null }>({ max: 500, ttl: hourMs })
  return {
    providers: [own, ...[...nearest.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))],
    settings: Object.fromEntries(found.settings.map((row) => [row.scope, row])),
    priceOf(name, provider, now) {
      const key = `${name.provider}/${name.id}`
      const known = cards.get(key)
      if (known) return known.priced
      const priced = find()
      cards.set(key, { priced })
      return priced

      function find(): Priced | null {
        const names = name.provider === ownProvider ? [key, name.id] : [key]
        for (const scope of nearestFirst) {
          const row = found.prices.find((price) => price.scope === scope && names.includes(price.model))
          if (row) return { card: row.card, source: scope }
        }
        if (provider.kind === 'demo') return { card: { input: 0, output: 0 }, source: 'operator' }
        const { kind, base_url } = provider
        const card = libraryCard({ kind, base_url, model: name.id, at: now })
        return card === null ? null : { card, source: 'library' }
      }
    },
  }
}

/** The lists that all must let a model through, the farthest place first. */
export function allowlists(
  { settings }: GatewayConfig,
  operator_models: readonly string[] | null,
  { agent_name, key_models }: Pick<gatewayAccess.GatewayAccess, 'agent_name' | 'key_models'>,
): readonly Allowlist[] {
  const agents = [settings.account, settings.project].flatMap((row) => {
    const models = agent_name === null ? undefined : row?.agents[agent_name]?.models
    return models ? [{ by: 'agent', models }] : []
  })
  return [
    { by: 'operator', models: operator_models },
    { by: 'operator', models: settings.operator?.models ?? null },
    { by: 'account', models: settings.account?.models ?? null },
    { by: 'project', models: settings.project?.models ?? null },
    ...agents,
    { by: 'key', models: key_models },
  ]
}
