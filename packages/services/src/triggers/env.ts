import { z } from 'zod'

/** The variables of the process that runs the trigger scheduler. */
export const triggerEnv = {
  SVC_TRIGGER_SCHEDULER_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(3_600_000)
    .default(60_000)
    .describe('the longest time between two looks at what is due'),
  SVC_TRIGGER_CATCH_UP_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .default(3600)
    .describe('how late a missed slot may still fire'),
  SVC_TRIGGER_HISTORY_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(90)
    .describe('how long the ledger of triggers is kept'),
  SVC_TRIGGER_DELIVERIES_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(30)
    .describe('how long deliveries of webhooks are kept, with their bodies'),
} as const
