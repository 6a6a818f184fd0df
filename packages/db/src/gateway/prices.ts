import type { PriceCard } from '@svc/models'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { GatewayPriceRow } from './gateway.table.ts'
import { type GatewayPlace, placeColumns } from './place.ts'

export async function list(db: Db, place: GatewayPlace): Promise<GatewayPriceRow[]> {
  const { scope, account_id, project_id } = placeColumns(place)
  return db
    .selectFrom('gateway_prices')
    .selectAll()
    .where('scope', '=', scope)
    .where(sql<boolean>`account_id is not distinct from ${account_id}::uuid`)
    .where(sql<boolean>`project_id is not distinct from ${project_id}::uuid`)
    .orderBy('model')
    .execute()
}

export async function set(
  tx: Db,
  place: GatewayPlace,
  price: {
    readonly model: string
    readonly price_id: string
    readonly card: PriceCard
    readonly updated_at: Date
  },
): Promise<void> {
  const { model, price_id, updated_at } = price
  const card = JSON.stringify(price.card)
  await tx
    .insertInto('gateway_prices')
    .values({ ...placeColumns(place), model, price_id, card, updated_at })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'account_id', 'project_id', 'model'])
        .doUpdateSet({ price_id, card, updated_at }),
    )
    .execute()
}

/** False when there was none. */
export async function remove(tx: Db, place: GatewayPlace, model: string): Promise<boolean> {
  const { scope, account_id, project_id } = placeColumns(place)
  const { numDeletedRows } = await tx
    .deleteFrom('gateway_prices')
    .where('scope', '=', scope)
    .where(sql<boolean>`account_id is not distinct from ${account_id}::uuid`)
    .where(sql<boolean>`project_id is not distinct from ${project_id}::uuid`)
    .where('model', '=', model)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
