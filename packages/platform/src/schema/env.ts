import { z } from 'zod'

/** The variables of how a process meets the schema of its database. */
export const schemaEnv = {
  SVC_SCHEMA_WAIT_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(0)
    .describe('how long a start waits for a database whose schema is older than this build needs'),
  SVC_COMMIT: z.string().min(1).default('unknown').describe('the commit of this build'),
  SVC_MACHINE: z
    .string()
    .min(1)
    .optional()
    .describe("the name of the machine in the operator's lists; the host's name when unset"),
} as const
