import { calcPrice } from '@pydantic/genai-prices'
import { z } from 'zod'
import type { ProviderKind } from '../providers/new-provider.ts'
import { PriceCard } from './card.ts'

/** A model as its price is looked up. */
export interface PricedModel {
  readonly kind: ProviderKind
  readonly base_url: string
  /** The provider's own id of the model. */
  readonly model: string
  readonly at: Date
}

/**
 * The card of a model in the bundled price library at a time; null where it knows none, or none that tokens alone
 * decide. Prices may change at each half hour of UTC. It costs a third of a millisecond and asks no network.
 */
export function libraryCard({ kind, base_url, model, at }: PricedModel): PriceCard | null {
  // The host decides; one that the library does not know is taken for a door to the kind's own vendor.
  const atHost = calcPrice({}, model, { providerApiUrl: base_url, timestamp: at })
  const found =
    atHost ??
    (kind === 'openai_compatible' ? null : calcPrice({}, model, { providerId: kind, timestamp: at }))
  return found === null ? null : cardOfPrices(found.model_price)
}

const Price = z.union([
  z.number(),
  z.object({ base: z.number(), tiers: z.array(z.object({ start: z.number(), price: z.number() })) }),
])

const tokenPrices = {
  input: 'input_mtok',
  output: 'output_mtok',
  cache_read: 'cache_read_mtok',
  cache_write: 'cache_write_mtok',
  cache_write_1h: 'cache_write_1h_mtok',
  reasoning: 'output_reasoning_mtok',
} as const

type Rate = keyof typeof tokenPrices
/** Images are priced apart by these: a call with them would cost what no card says. */
const imagePrices = ['input_image_mtok', 'output_image_mtok']
const perRequest = 'requests_kcount'

/** The card of the library's prices, which are dollars. */
export function cardOfPrices(prices: Readonly<Record<string, unknown>>): PriceCard | null {
  const keys = Object.keys(prices).filter((key) => prices[key] !== undefined)
  const isByTokens =
    keys.length === 0 || ['input_mtok', 'output_mtok', perRequest].some((key) => keys.includes(key))
  if (!isByTokens || imagePrices.some((key) => keys.includes(key))) return null
  const rates = rateNames.flatMap((rate) => {
    const price = Price.safeParse(prices[tokenPrices[rate]])
    return price.success ? [{ rate, price: price.data }] : []
  })
  const tiers = new Map<number, Partial<Record<Rate, number>>>()
  for (const { rate, price } of rates) {
    if (typeof price === 'number') continue
    for (const { start, price: dollars } of price.tiers)
      tiers.set(start, { ...tiers.get(start), [rate]: microsOfDollars(dollars) })
  }
  const request = Price.safeParse(prices[perRequest])
  const base = rates.map(({ rate, price }) => [
    rate,
    microsOfDollars(typeof price === 'number' ? price : price.base),
  ])
  const card = PriceCard.safeParse({
    input: 0,
    output: 0,
    ...Object.fromEntries(base),
    ...(request.success && typeof request.data === 'number'
      ? { request: microsOfDollars(request.data / 1_000) }
      : {}),
    ...(tiers.size === 0
      ? {}
      : {
          tiers: [...tiers]
            .sort(([a], [b]) => a - b)
            .map(([above_input_tokens, raised]) => ({ above_input_tokens, ...raised })),
        }),
  })
  return card.success ? card.data : null
}

const rateNames: readonly Rate[] = [
  'input',
  'output',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'reasoning',
]

function microsOfDollars(dollars: number): number {
  return Math.round(dollars * 1_000_000)
}
