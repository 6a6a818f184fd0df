import { canonicalJson } from '@svc/facts'
import { createHash } from 'node:crypto'
import type { PriceCard } from './card.ts'

const idLength = 16

/** The text of a card, the same for cards that charge the same. */
export function canonicalCard(card: PriceCard): string {
  const tiers = card.tiers?.toSorted((a, b) => a.above_input_tokens - b.above_input_tokens) ?? []
  return canonicalJson({ ...card, tiers: tiers.length === 0 ? undefined : tiers })
}

const known = new WeakMap<PriceCard, string>()

/** The name of a card, made of what it says: a card of that name never changes. A call asks for it several times. */
export function priceIdOf(card: PriceCard): string {
  const price_id =
    known.get(card) ?? createHash('sha256').update(canonicalCard(card)).digest('hex').slice(0, idLength)
  known.set(card, price_id)
  return price_id
}
