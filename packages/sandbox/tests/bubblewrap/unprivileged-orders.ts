import { z } from 'zod'

export const UnprivilegedOptions = z.object({
  root: z.string(),
  scope: z.string(),
  api_url: z.string(),
  look_every_ms: z.number().exactOptional(),
  tools: z.object({
    node: z.string(),
    agent_bundle: z.string(),
    cli_folder: z.null(),
    runtimes: z.record(z.string(), z.null()),
  }),
})
export type UnprivilegedOptions = z.infer<typeof UnprivilegedOptions>

const Limits = z.object({
  cpu: z.number().exactOptional(),
  memory_mb: z.number().exactOptional(),
  disk_mb: z.number().exactOptional(),
  pids: z.number().exactOptional(),
})
const Spec = z.object({
  sandbox_id: z.string(),
  environment: z.record(z.string(), z.string()),
  limits: Limits.exactOptional(),
})
const One = z.object({ method: z.enum(['start', 'stop', 'status', 'exitReport']), external_id: z.string() })
const AskBody = z.union([
  z.object({ method: z.literal('create'), spec: Spec }),
  z.object({ method: z.literal('close') }),
  One,
])
export type AskBody = z.infer<typeof AskBody>

export const Ask = z.object({ id: z.number(), ask: AskBody })
export type Ask = AskBody

export const Answer = z.object({
  id: z.number(),
  value: z.unknown().optional(),
  error: z.string().optional(),
})
export type Answer = z.infer<typeof Answer>
export const Created = z.object({ external_id: z.string(), endpoint: z.object({ url: z.string() }) })
export const Started = z.object({ endpoint: z.object({ url: z.string() }) })
export const Status = z.enum(['running', 'stopped', 'removed', 'unknown'])
export const Words = z.object({ exit: z.string().nullable(), output: z.string() })
export const Description = z.object({
  name: z.string(),
  isolated: z.array(z.string()),
  not_isolated: z.array(z.string()),
})
