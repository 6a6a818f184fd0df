import { backupPlaceEnv } from '@svc/backup'
import { readSettings } from '@svc/boot'
import { channelMailEnv } from '@svc/channels'
import { connectorEnv } from '@svc/connectors'
import { signInEnv } from '@svc/identity'
import { appsAreApart, platformEnv, previewsAreApart, trustedProxiesEnv } from '@svc/platform'
import { z } from 'zod'

const flag = (fallback: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(fallback)
    .transform((value) => value === 'true')

const perMinute = z.coerce.number().int().positive().optional()

export const Env = z.object({
  ...platformEnv,
  SVC_DB_POOL: platformEnv.SVC_DB_POOL.default(20),
  ...signInEnv,
  ...backupPlaceEnv,
  ...connectorEnv,
  ...channelMailEnv,
  SVC_HOST: z.string().min(1).default('0.0.0.0').describe('the address that the API listens on'),
  SVC_PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('the port of the API'),
  SVC_EXECUTOR_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('the executor on the internal network; without it no connector can be called'),
  SVC_BOOTSTRAP_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('where the first account and its owner token are kept; without it no account is made'),
  SVC_STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('the signing secret of Stripe’s webhooks; without it no payments are taken'),
  OPENAPI_PUBLIC_DOCS: flag('true').describe('whether /v1/docs and /v1/openapi.json are served'),
  SVC_TRUST_PROXY: flag('false').describe(
    'whether a proxy in front sets X-Forwarded-Proto and X-Forwarded-Host',
  ),
  ...trustedProxiesEnv,
  SVC_RATE_LIMIT_PER_ADDRESS: perMinute.describe('requests a minute from one address; unset for no limit'),
  SVC_RATE_LIMIT_PER_TOKEN: perMinute.describe('requests a minute with one token; unset for no limit'),
  SVC_MIGRATE: z
    .enum(['auto', 'manual'])
    .default('manual')
    .describe('`auto` brings the schema up to date at each start; else the command `migrate` does'),
})

export function readEnv(source: NodeJS.ProcessEnv): z.infer<typeof Env> {
  return readSettings(Env.refine(...previewsAreApart).refine(...appsAreApart), source)
}
