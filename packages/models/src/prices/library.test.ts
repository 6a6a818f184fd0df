import { calcPrice, waitForUpdate } from '@pydantic/genai-prices'
import { describe, expect, test } from 'vitest'
import { type Usage, usageOf } from '../calls/usage.ts'
import { costMicros } from './cost.ts'
import { cardOfPrices, libraryCard } from './library.ts'

const at = new Date('2026-11-25T12:00:00Z')
const times = [at, new Date('2026-11-25T02:00:00Z'), new Date('2025-01-01T20:00:00Z')]

/** Lengths about every tier of the library, and parts of each. */
const usages: readonly Usage[] = [
  0, 1, 999, 128_000, 128_001, 199_999, 200_000, 200_001, 271_999, 272_000, 272_001, 512_001, 1_000_000,
].flatMap((input_tokens) =>
  [
    { cached: 0, output_tokens: 0 },
    { cached: 0.3, output_tokens: 1_000 },
    { cached: 0.5, output_tokens: 65_537 },
  ].map(({ cached, output_tokens }) =>
    usageOf({
      input_tokens,
      cache_read_tokens: Math.floor(input_tokens * cached),
      cache_write_tokens: Math.floor((input_tokens * cached) / 2),
      cache_write_1h_tokens: Math.floor((input_tokens * cached) / 3),
      output_tokens,
      reasoning_tokens: Math.floor(output_tokens * cached),
    }),
  ),
)

test('the cost of every model of the library is the library’s, within a micro-dollar', async () => {
  const providers = (await waitForUpdate()) ?? []
  const [seen, unsaid] = [new Set<string>(), new Set<string>()]
  let models = 0
  for (const provider of providers) {
    for (const { id } of provider.models) {
      for (const timestamp of times) {
        const options = { providerId: provider.id, timestamp }
        const prices = calcPrice({}, id, options)?.model_price
        if (prices === undefined) continue
        models++
        const card = cardOfPrices(prices)
        if (card === null) unsaid.add(Object.keys(prices).sort().join())
        if (card === null || seen.has(JSON.stringify(prices))) continue
        seen.add(JSON.stringify(prices))
        for (const usage of usages) {
          const { reasoning_tokens: output_reasoning_tokens, ...others } = usage
          const theirs =
            calcPrice({ ...others, output_reasoning_tokens }, id, options)?.total_price ?? Number.NaN
          const difference = Math.abs(Number(costMicros(usage, card)) - theirs * 1e6)
          expect(difference, `${provider.id} ${id} ${JSON.stringify(usage)}`).toBeLessThan(1.000_001)
        }
      }
    }
  }
  expect(models).toBeGreaterThan(4_000)
  expect(seen.size).toBeGreaterThan(300)
  // Those without a card are priced by seconds, pages and pictures.
  for (const keys of unsaid) expect(keys).toMatch(/image|hours|kpages/)
})

describe('a card is found', () => {
  const anthropic = { kind: 'anthropic', base_url: 'https://api.anthropic.com/v1', at } as const

  test('by host and model, with the tiers of the model', () => {
    expect(libraryCard({ ...anthropic, model: 'claude-sonnet-4-5' })).toEqual({
      input: 3_000_000,
      output: 15_000_000,
      cache_read: 300_000,
      cache_write: 3_750_000,
      cache_write_1h: 6_000_000,
      tiers: [
        {
          above_input_tokens: 200_000,
          input: 6_000_000,
          output: 22_500_000,
          cache_read: 600_000,
          cache_write: 7_500_000,
          cache_write_1h: 12_000_000,
        },
      ],
    })
  })

  test('by kind where the host is none that the library knows', () => {
    const base_url = 'https://models.internal.example/v1'
    const card = libraryCard({ ...anthropic, model: 'claude-sonnet-4-5' })
    expect(libraryCard({ ...anthropic, base_url, model: 'claude-sonnet-4-5' })).toEqual(card)
    expect(libraryCard({ kind: 'openai_compatible', base_url, at, model: 'gpt-4o' })).toBeNull()
  })

  test('of a time, where the price changes', () => {
    const deepseek = {
      kind: 'openai_compatible',
      base_url: 'https://api.deepseek.com',
      model: 'deepseek-v4-flash',
    } as const
    const hours = ['2026-11-25T00:59:00Z', '2026-11-25T01:01:00Z'].map((hour) =>
      libraryCard({ ...deepseek, at: new Date(hour) }),
    )
    expect(hours.map((card) => card?.input)).toEqual([220_000, 440_000])
  })

  test('or none, for a model that is not there', () => {
    expect(libraryCard({ ...anthropic, model: 'no-such-model' })).toBeNull()
  })
})

test.each([
  [{ audio_hours: 1 }, null],
  [{ input_mtok: 1, output_mtok: 2, output_image_mtok: 30 }, null],
  [{}, { input: 0, output: 0 }],
  [{ input_mtok: 0.1 }, { input: 100_000, output: 0 }],
  [
    { input_mtok: 1, output_mtok: 2, requests_kcount: 12 },
    { input: 1e6, output: 2e6, request: 12_000 },
  ],
])('%j is %j', (prices, card) => expect(cardOfPrices(prices)).toEqual(card))
