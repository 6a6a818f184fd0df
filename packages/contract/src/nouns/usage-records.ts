import { z } from '@hono/zod-openapi'

/** The calls of models by the gateway, and what they cost. */
export const ModelUsage = z
  .object({
    calls: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost_micros: z.int().openapi({ description: 'Micro-dollars, of the calls that have a price' }),
    unpriced_calls: z.int().openapi({ description: 'Calls of models without a price' }),
  })
  .openapi('ModelUsage')
