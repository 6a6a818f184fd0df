import { type Db, gatewayProviders, type ProviderScope } from '@svc/db'
import { isFree, libraryCard, ownProvider, type PriceCard, priceIdOf, splitModelName } from '@svc/models'

interface PricedCall {
  readonly account_id: string
  readonly project_id: string
  readonly model: string | null
  readonly provider_scope: ProviderScope | null
  readonly at: Date
}

const nearestFirst = ['project', 'account', 'operator'] as const

/** The source of the card of a call: a place that still has it for this model, or the bundled list; null where neither does. */
export async function priceSource(
  db: Db,
  { model, provider_scope, at, ...where }: PricedCall,
  card: PriceCard,
): Promise<ProviderScope | 'library' | null> {
  if (model === null) return null
  const price_id = priceIdOf(card)
  const { provider: slug, id } = splitModelName(model) ?? { provider: ownProvider, id: model }
  const names = slug === ownProvider ? [id, `${ownProvider}/${id}`] : [model]
  const { prices, providers } = await gatewayProviders.ofProject(db, where)
  const set = prices.filter((price) => price.price_id === price_id && names.includes(price.model))
  const place = nearestFirst.find((scope) => set.some((price) => price.scope === scope))
  if (place !== undefined) return place
  if (slug === ownProvider && isFree(card)) return 'operator'
  const provider = providers.find((one) => one.slug === slug && one.scope === provider_scope)
  if (provider === undefined || provider.kind === 'demo') return null
  const { kind, base_url } = provider
  const listed = libraryCard({ kind, base_url, model: id, at })
  return listed !== null && priceIdOf(listed) === price_id ? 'library' : null
}
