import { describe, expect, test } from 'vitest'
import { PriceCard } from './card.ts'
import { canonicalCard, priceIdOf } from './price-id.ts'
import { dearestRates, isFree, ratesAt } from './rates.ts'

const tiered: PriceCard = {
  input: 3_000_000,
  output: 15_000_000,
  cache_read: 300_000,
  cache_write: 3_750_000,
  cache_write_1h: 6_000_000,
  tiers: [{ above_input_tokens: 200_000, input: 6_000_000, output: 22_500_000, cache_write: 7_500_000 }],
}

test.each([
  { input: 0.5, output: 1 },
  { input: -1, output: 1 },
  { input: 1 },
  { input: 1, output: 1, surcharge: 1 },
  { input: 1, output: 1e13 },
  { input: 1, output: 1, tiers: [{ above_input_tokens: 5 }, { above_input_tokens: 5 }] },
])('%j is no card', (card) => expect(PriceCard.safeParse(card).success).toBe(false))

describe('the name of a card', () => {
  test('is the same for each way to write it down', () => {
    const [one, other] = [{ above_input_tokens: 1 }, { above_input_tokens: 2 }]
    expect(priceIdOf({ output: 2, input: 1, tiers: [other, one] })).toBe(
      priceIdOf({ input: 1, output: 2, tiers: [one, other] }),
    )
    expect(priceIdOf({ input: 1, output: 2, tiers: [] })).toBe(priceIdOf({ input: 1, output: 2 }))
  })

  test('is another for another price, and never changes', () => {
    expect(canonicalCard({ output: 2, input: 1 })).toBe('{"input":1,"output":2}')
    expect(priceIdOf({ input: 1, output: 2 })).toBe('314d0681bbb13dc9')
    expect(priceIdOf({ input: 1, output: 3 })).not.toBe(priceIdOf({ input: 1, output: 2 }))
  })
})

describe('the rates', () => {
  test('of a tier hold for the whole call, from the first token above it', () => {
    expect(ratesAt(tiered, 200_000).input).toBe(3_000_000n)
    expect(ratesAt(tiered, 200_001)).toEqual({
      input: 6_000_000n,
      output: 22_500_000n,
      cache_read: 300_000n,
      cache_write: 7_500_000n,
      cache_write_1h: 6_000_000n,
      reasoning: 22_500_000n,
    })
  })

  test('that a card leaves out are those of the whole that they are parts of', () => {
    expect(ratesAt({ input: 5, output: 7, cache_write: 6 }, 1)).toEqual({
      input: 5n,
      output: 7n,
      cache_read: 5n,
      cache_write: 6n,
      cache_write_1h: 6n,
      reasoning: 7n,
    })
  })

  test('that a call can meet at the worst are those of every tier below its bound', () => {
    expect(dearestRates(tiered, 200_000)).toEqual({ input: 3_750_000n, output: 15_000_000n })
    expect(dearestRates(tiered, 200_000, { caches_1h: true }).input).toBe(6_000_000n)
    expect(dearestRates(tiered, 200_001)).toEqual({ input: 7_500_000n, output: 22_500_000n })
    const cheaperAbove = { input: 10, output: 10, tiers: [{ above_input_tokens: 5, input: 1, output: 1 }] }
    expect(dearestRates(cheaperAbove, 100)).toEqual({ input: 10n, output: 10n })
  })
})

test('a card is free when nothing of it costs', () => {
  expect(isFree({ input: 0, output: 0 })).toBe(true)
  expect(isFree({ input: 0, output: 0, request: 1 })).toBe(false)
  expect(isFree({ input: 0, output: 0, tiers: [{ above_input_tokens: 9, output: 1 }] })).toBe(false)
})
