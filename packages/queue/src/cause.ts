import { z } from 'zod'
import type { Enqueue } from './producer.ts'

/** The request or the sweep that asked for a job: ids alone. */
export interface Cause {
  readonly request_id: string
  /** The trace of that request, as W3C Trace Context writes it. */
  readonly traceparent?: string | undefined
}

/** The cause of a job that a scheduler found owed. */
export const sweepCause: Cause = { request_id: 'sweep' }

/** The same queue, whose jobs name this cause. */
export function causedBy(enqueue: Enqueue, cause: Cause): Enqueue {
  return (queue, name, payload, options) => enqueue(queue, name, payload, { cause, ...options })
}

const Envelope = z.object({
  request_id: z.string().min(1).max(200),
  traceparent: z.string().max(100).optional(),
})

/** The cause as it travels with a job, beside its ids: workers of an earlier release do not look at it. */
export function sealCause(cause: Cause): string {
  return JSON.stringify(cause)
}

/** A job without one, or with one that cannot be read, is owed all the same. */
export function openCause(text: string | undefined): Cause {
  try {
    return Envelope.parse(JSON.parse(text ?? ''))
  } catch {
    return sweepCause
  }
}
