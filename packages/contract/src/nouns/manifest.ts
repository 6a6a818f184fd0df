import { z } from '@hono/zod-openapi'
import { Sha } from '../kit/common.ts'

export const ManifestIssue = z
  .object({
    path: z.string().openapi({ example: 'triggers[0].agent' }),
    message: z.string(),
    severity: z.enum(['error', 'warning']),
    line: z.int().optional(),
    column: z.int().optional(),
  })
  .openapi('ManifestIssue')

/** The manifest at a branch as its author wrote it, with the verdict on it. */
export const ManifestAt = z
  .object({
    ref: z.string(),
    commit_sha: Sha.nullable().openapi({ description: 'Null while the repository is empty' }),
    path: z.string().nullable().openapi({ description: 'Null where there is no manifest' }),
    text: z.string().nullable(),
    valid: z.boolean(),
    issues: z.array(ManifestIssue),
  })
  .openapi('ManifestAt')
