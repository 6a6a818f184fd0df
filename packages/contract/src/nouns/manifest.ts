import { z } from '@hono/zod-openapi'

export const ManifestIssue = z
  .object({
    path: z.string().openapi({ example: 'triggers[0].agent' }),
    message: z.string(),
    severity: z.enum(['error', 'warning']),
    line: z.int().optional(),
    column: z.int().optional(),
  })
  .openapi('ManifestIssue')
