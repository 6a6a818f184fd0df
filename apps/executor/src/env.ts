import { readFileSync } from 'node:fs'
import { readSettings } from '@svc/boot'
import { connectorEnv } from '@svc/connectors'
import { outboundEnv } from '@svc/outbound'
import { platformEnv } from '@svc/platform'
import { type AggregatorsConfig, parseAggregators } from '@svc/upstream'
import { z } from 'zod'

function aggregatorsOf(path: string, ctx: z.RefinementCtx): AggregatorsConfig {
  try {
    return parseAggregators(readFileSync(path, 'utf8'))
  } catch (error) {
    ctx.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    return {}
  }
}

/** The origin of a host with this port; one that is given whole stays as it is. */
export function originAt(address: string, port: number): string {
  if (/^https?:\/\//.test(address)) return address.replace(/\/+$/, '')
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

export const Env = z.object({
  ...platformEnv,
  ...connectorEnv,
  ...outboundEnv,
  SVC_AGGREGATORS_FILE: z
    .string()
    .min(1)
    .transform(aggregatorsOf)
    .optional()
    .describe('a JSON file that sets up the aggregators of connectors'),
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
  SVC_EXECUTOR_ADDRESS: z
    .string()
    .refine(
      (text) => URL.canParse(originAt(text, 80)),
      'must be a host, or an origin with http:// or https://',
    )
    .optional()
    .describe(
      'the host at which other executors reach this one, or an origin, for the paired computers that it holds; where it listens when absent',
    ),
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
