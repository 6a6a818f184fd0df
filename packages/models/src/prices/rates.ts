import type { PriceCard } from './card.ts'

/** Each rate of a card, those that it leaves out included. */
export interface Rates {
  readonly input: bigint
  readonly output: bigint
  readonly cache_read: bigint
  readonly cache_write: bigint
  readonly cache_write_1h: bigint
  readonly reasoning: bigint
}

/** The rates of a call with this much input: those of every tier that it is above, the highest last. */
export function ratesAt(card: PriceCard, input_tokens: number): Rates {
  const reached = (card.tiers ?? [])
    .filter((tier) => input_tokens > tier.above_input_tokens)
    .sort((a, b) => a.above_input_tokens - b.above_input_tokens)
  const said = reached.reduce<Omit<PriceCard, 'tiers'>>((below, tier) => overlaid(below, tier), card)
  const { input, output, cache_read = input, cache_write = input, reasoning = output } = said
  return {
    input: BigInt(input),
    output: BigInt(output),
    cache_read: BigInt(cache_read),
    cache_write: BigInt(cache_write),
    cache_write_1h: BigInt(said.cache_write_1h ?? cache_write),
    reasoning: BigInt(reasoning),
  }
}

/** The dearest price of a token of input and of output that a call with at most this much input can meet. */
export function dearestRates(
  card: PriceCard,
  input_tokens: number,
  { caches_1h = false }: { readonly caches_1h?: boolean } = {},
): { readonly input: bigint; readonly output: bigint } {
  const lengths = [
    0,
    ...(card.tiers ?? [])
      .map((tier) => tier.above_input_tokens + 1)
      .filter((length) => length <= input_tokens),
  ]
  const met = lengths.map((length) => ratesAt(card, length))
  return {
    input: greatest(
      met.flatMap((rates) => [
        rates.input,
        rates.cache_read,
        rates.cache_write,
        ...(caches_1h ? [rates.cache_write_1h] : []),
      ]),
    ),
    output: greatest(met.flatMap((rates) => [rates.output, rates.reasoning])),
  }
}

/** A free model passes every budget. */
export function isFree({ input, output, tiers = [], ...others }: PriceCard): boolean {
  const tierRates = tiers.flatMap(({ above_input_tokens: _, ...rates }) => Object.values(rates))
  return [input, output, ...Object.values(others), ...tierRates].every((rate) => rate === 0)
}

function overlaid(
  below: Omit<PriceCard, 'tiers'>,
  tier: NonNullable<PriceCard['tiers']>[number],
): Omit<PriceCard, 'tiers'> {
  const said = Object.entries(tier).filter(([, rate]) => rate !== undefined)
  return { ...below, ...Object.fromEntries(said) }
}

function greatest(values: readonly bigint[]): bigint {
  return values.reduce((top, value) => (value > top ? value : top), 0n)
}
