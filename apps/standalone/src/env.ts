import { resolve } from 'node:path'
import { backupEnv } from '@svc/backup'
import { readSettings } from '@svc/boot'
import { channelWorkerSettings, lmtpHasDomain } from '@svc/channel-worker'
import { connectorEnv } from '@svc/connectors'
import { eventEnv } from '@svc/events'
import { notificationEnv } from '@svc/notifications'
import { executorSettings } from '@svc/executor'
import { endpointHasModel, modelEnv, modelHasEndpoint, withProviderKeys } from '@svc/gateway'
import { signInEnv } from '@svc/identity'
import { appProxySettings } from '@svc/app-proxy'
import {
  appRulesEnv,
  appsAreApart,
  appsEnv,
  harnessEnv,
  objectStoreEnv,
  platformEnv,
  previewEnv,
  previewsAreApart,
} from '@svc/platform'
import { namesElsewhere, sandboxEnv, warmPoolEnv } from '@svc/sandbox/providers'
import { retentionEnv, triggerEnv } from '@svc/services'
import { spendEnv } from '@svc/spend'
import { z } from 'zod'

const { DATABASE_URL, REDIS_URL, SVC_PUBLIC_URL, SVC_GIT_AUTHOR, SVC_SESSION_CAP, SVC_IDLE_SECONDS } =
  platformEnv
const { SVC_MODELS, SVC_METRICS_TOKEN, SVC_MACHINE, SVC_DRAIN_SECONDS, SVC_REPOSITORY_STORE } = platformEnv
const { SVC_ALLOW_HTTP_REPOSITORIES, SVC_ALLOW_FILE_REPOSITORIES, SVC_ALLOW_SSH_REPOSITORIES } = platformEnv
const {
  SVC_ALLOW_PRIVATE_ADDRESSES,
  SVC_API_WAIT_SECONDS,
  SVC_TRIGGER_IDLE_SECONDS,
  SVC_ASK_TIMEOUT_SECONDS,
} = platformEnv
const { SVC_DATABASE_DIRECT_URL, SVC_DB_POOL, SVC_DB_LOCK_POOL, SVC_DB_PREPARED } = platformEnv
const port = z.coerce.number().int().min(1).max(65_535)

/** A deployment that shares its sandboxes' place with no other. */
const alone = 'standalone'

export const Env = z.object({
  SVC_PORT: port.default(7700).describe('the port of the API'),
  SVC_HOST: z.string().min(1).default('127.0.0.1').describe('the address that the API listens on'),
  SVC_DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((path) => resolve(path))
    .describe('where everything is kept'),
  SVC_INTERNAL_PORT: port.optional().describe('the port of /metrics; one above SVC_PORT by default'),
  ...appsEnv,
  ...appRulesEnv,
  SVC_APPS_WAKE_SECONDS: appProxySettings.shape.SVC_APPS_WAKE_SECONDS,
  ...harnessEnv,
  SVC_APPS_PORT: port.optional().describe('the port of apps; three above SVC_PORT by default'),
  SVC_METRICS_TOKEN,
  SVC_MACHINE,
  SVC_REPOSITORY_STORE,
  ...objectStoreEnv,
  SVC_DRAIN_SECONDS,
  DATABASE_URL: DATABASE_URL.optional().describe('a PostgreSQL to use instead of the embedded one'),
  SVC_DATABASE_DIRECT_URL,
  // Every service is in this one process.
  SVC_DB_POOL: SVC_DB_POOL.default(20),
  SVC_DB_LOCK_POOL: SVC_DB_LOCK_POOL.default(64),
  SVC_DB_PREPARED,
  REDIS_URL,
  SVC_PUBLIC_URL: SVC_PUBLIC_URL.optional(),
  ...sandboxEnv,
  ...warmPoolEnv,
  SVC_DEPLOYMENT: sandboxEnv.SVC_DEPLOYMENT.default(alone),
  ...modelEnv,
  SVC_GATEWAY_MASTER_KEY: platformEnv.SVC_GATEWAY_MASTER_KEY,
  SVC_GIT_AUTHOR,
  SVC_SESSION_CAP,
  SVC_MODELS,
  SVC_GATEWAY_DEFAULT_MODEL: platformEnv.SVC_GATEWAY_DEFAULT_MODEL,
  ...triggerEnv,
  ...connectorEnv,
  SVC_AGGREGATORS_FILE: executorSettings.shape.SVC_AGGREGATORS_FILE,
  SVC_EXECUTOR_CONCURRENCY: executorSettings.shape.SVC_EXECUTOR_CONCURRENCY,
  ...eventEnv,
  ...notificationEnv,
  SVC_EVENTS_CONCURRENCY: channelWorkerSettings.shape.SVC_EVENTS_CONCURRENCY,
  SVC_CHANNEL_CONCURRENCY: channelWorkerSettings.shape.SVC_CHANNEL_CONCURRENCY,
  SVC_CHANNEL_LMTP: channelWorkerSettings.shape.SVC_CHANNEL_LMTP,
  SVC_CHANNEL_MAIL_DOMAIN: channelWorkerSettings.shape.SVC_CHANNEL_MAIL_DOMAIN,
  SVC_CHANNEL_MAIL_AUTHSERV: channelWorkerSettings.shape.SVC_CHANNEL_MAIL_AUTHSERV,
  ...retentionEnv,
  ...backupEnv,
  SVC_BACKUP_BEFORE_UPGRADE: z
    .enum(['true', 'false'])
    .default('true')
    .transform((value) => value === 'true')
    .describe('whether a start that has to change the schema writes a backup first'),
  ...spendEnv,
  ...signInEnv,
  ...previewEnv,
  SVC_IDLE_SECONDS,
  SVC_TRIGGER_IDLE_SECONDS,
  SVC_ASK_TIMEOUT_SECONDS,
  SVC_API_WAIT_SECONDS,
  SVC_ALLOW_HTTP_REPOSITORIES,
  SVC_ALLOW_FILE_REPOSITORIES,
  SVC_ALLOW_SSH_REPOSITORIES,
  SVC_ALLOW_PRIVATE_ADDRESSES,
  SVC_OUTBOUND_ADDRESSES: platformEnv.SVC_OUTBOUND_ADDRESSES,
  OPENAPI_PUBLIC_DOCS: z
    .enum(['true', 'false'])
    .default('true')
    .describe('whether /v1/docs and /v1/openapi.json are served'),
  SVC_STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('the signing secret of Stripe’s webhooks; without it no payments are taken'),
  SVC_CONFIG_FILE: z.string().min(1).optional().describe("the svc client's configuration file"),
  OTEL_EXPORTER_OTLP_ENDPOINT: platformEnv.OTEL_EXPORTER_OTLP_ENDPOINT,
  SVC_LOG_FORMAT: platformEnv.SVC_LOG_FORMAT.default('pretty'),
  SVC_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('warn'),
})

export type StandaloneEnv = ReturnType<typeof readEnv>

export function readEnv(source: NodeJS.ProcessEnv) {
  const env = readSettings(
    Env.refine(...endpointHasModel)
      .refine(...modelHasEndpoint)
      .refine(...previewsAreApart)
      .refine(...appsAreApart)
      .refine(...lmtpHasDomain)
      .refine((env) => !isElsewhere(env) || env.SVC_PUBLIC_URL !== undefined, {
        path: ['SVC_PUBLIC_URL'],
        message: `is needed with ${namesElsewhere.join(' or ')}: the address at which sandboxes reach this platform`,
      })
      .refine((env) => !isElsewhere(env) || env.SVC_DEPLOYMENT !== alone, {
        path: ['SVC_DEPLOYMENT'],
        message: `is needed with ${namesElsewhere.join(' or ')}: a name that no other platform has in that place`,
      }),
    source,
  )
  return {
    ...env,
    providers: withProviderKeys(env.SVC_GATEWAY_PROVIDERS, source),
    /** All of it, for the programs that this one starts. */
    inherited: source,
  }
}

function isElsewhere({ SVC_SANDBOX_PROVIDER }: Pick<z.infer<typeof Env>, 'SVC_SANDBOX_PROVIDER'>): boolean {
  return [SVC_SANDBOX_PROVIDER].flat().some((name) => namesElsewhere.includes(name))
}

/** The address that people and sandboxes use; one that listens everywhere is reached at the loopback one. */
export function originOf({ SVC_PUBLIC_URL, SVC_HOST: host, SVC_PORT }: StandaloneEnv): string {
  if (SVC_PUBLIC_URL !== undefined) return SVC_PUBLIC_URL
  const reachable =
    host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${reachable}:${SVC_PORT}`
}
