import { type ModelName, ownProvider } from '../names/model-name.ts'
import type { PriceCard } from '../prices/card.ts'
import { libraryCard } from '../prices/library.ts'
import type { ProviderKind } from '../providers/new-provider.ts'
import { type ModelPlace, nearestFirst } from './nearest.ts'

export interface PlacedPrice {
  readonly scope: ModelPlace
  readonly model: string
  readonly card: PriceCard
}

export interface Priced {
  readonly card: PriceCard
  readonly source: ModelPlace | 'library'
}

/** The price of a model: of its nearest place, of the scripted model, else of the library; null without one. */
export function priceOf(
  name: ModelName,
  { kind, base_url }: { readonly kind: ProviderKind | 'demo'; readonly base_url: string },
  prices: readonly PlacedPrice[],
  at: Date,
): Priced | null {
  const key = `${name.provider}/${name.id}`
  const names = name.provider === ownProvider ? [key, name.id] : [key]
  for (const scope of nearestFirst) {
    const row = prices.find((price) => price.scope === scope && names.includes(price.model))
    if (row) return { card: row.card, source: scope }
  }
  if (kind === 'demo') return { card: { input: 0, output: 0 }, source: 'operator' }
  const card = libraryCard({ kind, base_url, model: name.id, at })
  return card === null ? null : { card, source: 'library' }
}
