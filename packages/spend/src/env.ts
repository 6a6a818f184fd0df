import { z } from 'zod'

/** The variables of the process that keeps the log of model calls. */
export const spendEnv = {
  SVC_GATEWAY_LOG_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .default(90)
    .describe(
      'how long each model call is kept; then the sums of its day are, for ever; 0 keeps calls for ever',
    ),
} as const

export type SpendSettings = z.infer<z.ZodObject<typeof spendEnv>>
