import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usageOf } from '../calls/usage.ts'
import { costMicros } from '../prices/cost.ts'
import { clampedOutput, cutLimit, floorMicros, outputLimit, wantMicros } from './hold.ts'
import { countedInputBound, inputBound } from './input-bound.ts'
import { clampedThinking } from './thinking.ts'

const text = { text_bytes: 1_000, has_tools: false, inline_images: 0, unsized_media: 0 }

describe('the input bound', () => {
  test('is the bytes of the body, and more for tools and images', () => {
    expect(inputBound(text, 128_000)).toBe(1_000)
    expect(inputBound({ ...text, has_tools: true }, 128_000)).toBe(2_024)
    expect(inputBound({ ...text, inline_images: 2 }, 128_000)).toBe(11_000)
  })

  test('is never more than the model reads', () => {
    expect(inputBound({ ...text, text_bytes: 1_000_000 }, 128_000)).toBe(128_000)
    expect(inputBound({ ...text, unsized_media: 1 }, 128_000)).toBe(128_000)
  })

  test('is none where neither the body nor the model says one', () => {
    expect(inputBound({ ...text, unsized_media: 1 }, null)).toBeNull()
    expect(inputBound(text, null)).toBe(1_000)
  })

  test('is the upstream’s count and a margin where that was asked', () => {
    expect(countedInputBound(1_000, 128_000)).toBe(1_114)
    expect(countedInputBound(127_999, 128_000)).toBe(128_000)
  })
})

test.each([
  [100, 8_192, 100],
  [10_000, 8_192, 8_192],
  [null, 8_192, 8_192],
  [100_000, null, 100_000],
  [null, null, 32_768],
])('a client that asks for %s of a model of %s gets %s', (asked, model, limit) =>
  expect(outputLimit(asked, model)).toBe(limit),
)

const call = {
  card: { input: 1_000_000, output: 2_000_000, cache_write: 1_250_000 },
  input_bound: 1_000,
  output_limit: 500,
  n: 1,
}

describe('what is set aside', () => {
  test('is the bound and the limit, at the dearer of plain and cache-write rates', () => {
    expect(wantMicros(call)).toBe(1_250n + 1_000n)
    expect(wantMicros({ ...call, n: 3 })).toBe(1_250n + 3_000n)
    expect(floorMicros(call)).toBe(1_250n + 32n)
  })

  test('is never below the floor of a call that asks for little', () => {
    expect(floorMicros({ ...call, output_limit: 5 })).toBe(wantMicros({ ...call, output_limit: 5 }))
    expect(floorMicros({ ...call, output_limit: 0 })).toBe(1_250n)
  })
})

describe('the clamp', () => {
  test('is the limit that what was granted pays for, and never raised', () => {
    expect(clampedOutput(call, wantMicros(call))).toBe(500)
    expect(clampedOutput(call, 10_000_000n)).toBe(500)
    expect(clampedOutput(call, 1_250n + 100n)).toBe(50)
    expect(clampedOutput(call, floorMicros(call))).toBe(16)
    expect(clampedOutput(call, 1_251n)).toBeNull()
    expect(clampedOutput(call, 1_000n)).toBeNull()
  })

  test('leaves a model alone whose output costs nothing', () => {
    expect(clampedOutput({ ...call, card: { input: 1, output: 0 } }, 1n)).toBe(500)
  })

  test('of whatever was granted, what runs within bound and limit never costs more', () => {
    const rate = fc.integer({ min: 0, max: 80_000_000 })
    const part = fc.double({ min: 0, max: 1, noNaN: true })
    const arbitrary = fc.record({
      input: rate,
      output: rate,
      cache_read: rate,
      cache_write: rate,
      reasoning: rate,
      request: fc.integer({ min: 0, max: 10_000 }),
      tiers: fc.uniqueArray(fc.record({ above_input_tokens: fc.nat(40_000), input: rate, output: rate }), {
        selector: (tier) => tier.above_input_tokens,
        maxLength: 3,
      }),
    })
    fc.assert(
      fc.property(
        arbitrary,
        fc.nat(50_000),
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 4 }),
        fc.bigInt({ min: 0n, max: 20_000_000n }),
        fc.tuple(part, part, part, part),
        (card, input_bound, output_limit, n, rest, [a, b, c, d]) => {
          const bounds = { card, input_bound, output_limit, n }
          const [want, floor] = [wantMicros(bounds), floorMicros(bounds)]
          expect(floor <= want).toBe(true)
          if (rest < floor) return
          const granted = rest < want ? rest : want
          const limit = clampedOutput(bounds, granted)
          expect(limit).toBeGreaterThanOrEqual(Math.min(16, output_limit))
          expect(limit).toBeLessThanOrEqual(output_limit)
          const input_tokens = Math.floor(input_bound * a)
          const cache_read_tokens = Math.floor(input_tokens * b)
          const output_tokens = Math.floor((limit ?? 0) * n * d)
          const usage = usageOf({
            input_tokens,
            cache_read_tokens,
            cache_write_tokens: Math.floor((input_tokens - cache_read_tokens) * c),
            output_tokens,
            reasoning_tokens: Math.floor(output_tokens * a),
          })
          expect(costMicros(usage, card) <= granted).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test.each([
  [100, 1, 141],
  [1, 1, 17],
  [100, 2, 266],
])('an answer of at most %s, %s times, is cut at %s', (limit, n, cut) => expect(cutLimit(limit, n)).toBe(cut))

describe('a budget of thinking', () => {
  test('that is below the lowered limit stays', () =>
    expect(clampedThinking(2_000, 8_000, 4_000)).toBe(2_000))
  test('that is not keeps its share', () => expect(clampedThinking(6_000, 8_000, 4_000)).toBe(3_000))
  test('goes where too little is left', () => expect(clampedThinking(6_000, 8_000, 1_200)).toBeNull())
  test('that was above the limit before is lowered below it', () =>
    expect(clampedThinking(9_000, 8_000, 4_000)).toBe(3_999))
  test('stays where the limit was not lowered', () =>
    expect(clampedThinking(9_000, 8_000, 8_000)).toBe(9_000))
})
