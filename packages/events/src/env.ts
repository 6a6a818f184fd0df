import { retrySeconds } from '@svc/event'
import { z } from 'zod'

const whole = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

/** The settings of deliveries, of the process that makes them. */
export const eventEnv = {
  SVC_EVENTS_DAYS: whole(1, 3650, 30).describe('days for which events and their deliveries are kept'),
  SVC_EVENTS_RETRY_SECONDS: z
    .string()
    .transform((text) => text.split(',').map((one) => Number(one.trim())))
    .pipe(z.array(z.number().int().min(0).max(604_800)).min(1).max(20))
    .default([...retrySeconds])
    .describe('seconds before each further try of a delivery, with commas between'),
  SVC_EVENTS_DISABLE_AFTER: whole(1, 1000, 5).describe(
    'deliveries in a row that came to nothing, after which a subscription is disabled',
  ),
} as const
