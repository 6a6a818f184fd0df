import { type Db, priceCards } from '@svc/db'
import { type PriceCard, priceIdOf } from '@svc/models'

const kept = new WeakMap<Db, Set<string>>()

/** Keeps the card for as long as calls name it; a process writes each one once. */
export async function keepCard(ctx: { readonly db: Db; now(): Date }, card: PriceCard): Promise<void> {
  const known = kept.get(ctx.db) ?? new Set()
  kept.set(ctx.db, known)
  const price_id = priceIdOf(card)
  if (known.has(price_id)) return
  await priceCards.keep(ctx.db, price_id, card, ctx.now())
  known.add(price_id)
}
