import type { PriceCard } from '@svc/models'
import type { Db } from '../database.ts'

/** Keeps a card for ever under its name; a card that is there stays as it is. */
export async function keep(db: Db, price_id: string, card: PriceCard, created_at: Date): Promise<void> {
  await db
    .insertInto('gateway_price_cards')
    .values({ price_id, card: JSON.stringify(card), created_at })
    .onConflict((conflict) => conflict.column('price_id').doNothing())
    .execute()
}

export async function find(db: Db, price_id: string): Promise<PriceCard | undefined> {
  const row = await db
    .selectFrom('gateway_price_cards')
    .select('card')
    .where('price_id', '=', price_id)
    .executeTakeFirst()
  return row?.card
}
