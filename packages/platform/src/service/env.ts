import { z } from 'zod'
import { databaseEnv } from '../database/env.ts'
import { tracingEnv } from '../tracing-env.ts'
import { schemaEnv } from '../schema/env.ts'

/** The variables of every process that stands behind an address of its own, whatever it does. */
export const serviceEnv = {
  ...databaseEnv,
  ...schemaEnv,
  ...tracingEnv,
  SVC_DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(0)
    .describe('how long a process goes on listening after SIGTERM, while /readyz says that it leaves'),
  SVC_INTERNAL_HOST: z.string().min(1).default('127.0.0.1').describe('where health and metrics listen'),
  SVC_INTERNAL_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .describe('the port of /healthz, /readyz and /metrics'),
  SVC_METRICS_TOKEN: z
    .string()
    .min(16)
    .regex(/^\S+$/, 'must hold no spaces')
    .optional()
    .describe(
      'what Prometheus shows at /metrics as a bearer token; unset where that port is reached by Prometheus alone',
    ),
  SVC_LOG_FORMAT: z
    .enum(['json', 'pretty'])
    .default('json')
    .describe('json for lines that a program reads, pretty for a person at a terminal'),
  SVC_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
} as const

export type ServiceEnv = z.infer<z.ZodObject<typeof serviceEnv>>
