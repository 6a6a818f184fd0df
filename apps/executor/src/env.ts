import { readSettings } from '@svc/boot'
import { connectorEnv } from '@svc/connectors'
import { outboundEnv } from '@svc/outbound'
import { platformEnv } from '@svc/platform'
import { z } from 'zod'

export const Env = z.object({
  ...platformEnv,
  ...connectorEnv,
  ...outboundEnv,
  SVC_EXECUTOR_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('the internal address at which the API asks for connector calls'),
  SVC_EXECUTOR_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8082)
    .describe('the port of that address'),
  SVC_EXECUTOR_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(32)
    .describe('approved connector calls at a time'),
})

export type ExecutorEnv = z.infer<typeof Env>

export const readEnv = (source: NodeJS.ProcessEnv): ExecutorEnv => readSettings(Env, source)
