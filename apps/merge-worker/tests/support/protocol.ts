import { z } from 'zod'

/** The orders of a test to a worker process. */
export const Order = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), env: z.record(z.string(), z.string()), concurrency: z.int() }),
  /** From now on steps are counted; at this one, the nth of its name, the process kills itself. Null only tells them. */
  z.object({ kind: z.literal('arm'), at: z.string().nullable() }),
])
export type Order = z.infer<typeof Order>

/** The reports of a worker process to the test. */
export const Report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('loaded') }),
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('armed') }),
  z.object({ kind: z.literal('step'), label: z.string() }),
])
export type Report = z.infer<typeof Report>
