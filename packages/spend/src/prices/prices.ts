import { type GatewayPlace, gatewayPrices, type GatewayPriceRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { nearestFirst, type PriceCard, priceIdOf } from '@svc/models'
import { changePlace, type Changing } from '../places/change.ts'
import { decidedFor } from '../places/decided.ts'
import { enterPlace, type Entering } from '../places/enter.ts'
import { nameModel } from './name-model.ts'

/** The prices that people set, of each model the nearest place's. */
export async function listPrices(ctx: Entering, place: GatewayPlace) {
  const entered = await enterPlace(ctx, place, 'project.gateway.spend.read')
  const { prices } = await decidedFor(ctx.db, entered)
  const models = [...new Set(prices.map(({ model }) => model))].sort()
  return {
    prices: models.flatMap((model) => {
      const rows = nearestFirst.flatMap((scope) =>
        prices.filter((row) => row.scope === scope && row.model === model),
      )
      return rows.slice(0, 1).map(presentPrice)
    }),
  }
}

export async function setPrice(
  ctx: Changing,
  place: GatewayPlace,
  { model: written, card }: { readonly model: string; readonly card: PriceCard },
) {
  const entered = await enterPlace(ctx, place, 'project.gateway.budget.set')
  const model = await nameModel(ctx.db, entered, written)
  const price_id = priceIdOf(card)
  const change = {
    action: 'set*GatewayPrice',
    target: '/prices',
    details: { model, price_id, card },
  } as const
  await changePlace(ctx, entered, change, (tx) =>
    gatewayPrices.set(tx, place, { model, price_id, card, updated_at: ctx.now() }),
  )
  return { model, source: place.scope, price_id, card }
}

export async function removePrice(
  ctx: Changing,
  place: GatewayPlace,
  { model: written }: { readonly model: string },
): Promise<void> {
  const entered = await enterPlace(ctx, place, 'project.gateway.budget.set')
  const model = await nameModel(ctx.db, entered, written)
  const change = { action: 'remove*GatewayPrice', target: '/prices', details: { model } } as const
  await changePlace(ctx, entered, change, async (tx) => {
    if (await gatewayPrices.remove(tx, place, model)) return
    throw new ServiceError('not_found', `No price was set here for ${JSON.stringify(model)}; list the prices`)
  })
}

const presentPrice = ({ model, scope, price_id, card }: GatewayPriceRow) => ({
  ...{ model, source: scope, price_id, card },
})
