import type { JobsOptions } from 'bullmq'
import { type Cause, sealCause, sweepCause } from './cause.ts'

/**
 * A job says "look at this row now", so one waiting job is as good as ten, and one that arrives while the same is
 * being worked on is kept and runs after it: that run may have read the row already.
 */
export function jobOptions(
  name: string,
  ids: Readonly<Record<string, string>>,
  { delay_ms = 0, cause = sweepCause }: { readonly delay_ms?: number; readonly cause?: Cause } = {},
): JobsOptions {
  const delay = Math.max(0, Math.ceil(delay_ms))
  const subject = Object.keys(ids)
    .sort()
    .map((key) => `${key}=${ids[key]}`)
    .join('&')
  return {
    deduplication: {
      // A delayed job is another one: it must neither hold back nor postpone a job for now.
      id: `${name}?${subject}${delay > 0 ? `+${delay}` : ''}`,
      keepLastIfActive: true,
      // A job for now also wakes the same one out of its wait between two attempts.
      ...(delay === 0 ? { reschedule: true } : {}),
    },
    ...(delay > 0 ? { delay } : {}),
    attempts: 5,
    backoff: { type: 'exponential', delay: 1_000 },
    removeOnComplete: true,
    removeOnFail: true,
    telemetry: { metadata: sealCause(cause) },
  }
}
