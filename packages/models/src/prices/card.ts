import { z } from 'zod'

/** Micro-dollars; at most a dollar a token. */
const maxRate = 1_000_000_000_000
const rate = z.number().int().min(0).max(maxRate)
const maxTiers = 16

const optional = {
  cache_read: rate.optional(),
  cache_write: rate.optional(),
  /** Writes that are kept for an hour. */
  cache_write_1h: rate.optional(),
  /** Reasoning, where it costs another price than the rest of the output. */
  reasoning: rate.optional(),
}

/** The rates that replace those before them for the whole call, once its input is longer than this. */
const PriceTier = z.strictObject({
  above_input_tokens: z.number().int().min(0).max(1_000_000_000),
  input: rate.optional(),
  output: rate.optional(),
  ...optional,
})

/** A price list of one model: micro-dollars for a million tokens, and `request` for each call. */
export const PriceCard = z
  .strictObject({
    input: rate,
    output: rate,
    ...optional,
    request: rate.optional(),
    tiers: z.array(PriceTier).max(maxTiers).optional(),
  })
  .refine(({ tiers = [] }) => new Set(tiers.map((tier) => tier.above_input_tokens)).size === tiers.length, {
    path: ['tiers'],
    message: 'two tiers begin at the same length',
  })

export type PriceCard = Readonly<z.infer<typeof PriceCard>>
