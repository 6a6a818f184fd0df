import { z } from 'zod'

/** An order to a platform process of the tests. */
export const Order = z.object({
  sandbox_id: z.string(),
  options: z.object({
    root: z.string(),
    scope: z.string(),
    isolation: z.enum(['bubblewrap', 'none']),
    api_url: z.string(),
    tools: z.object({
      node: z.string(),
      agent_bundle: z.string(),
      cli_folder: z.null(),
      runtimes: z.record(z.string(), z.null()),
    }),
  }),
})

export type Order = z.infer<typeof Order>
