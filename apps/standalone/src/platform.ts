import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { servesDashboard, startApi } from '@svc/api'
import { startAppProxy } from '@svc/app-proxy'
import { type Lifecycle, type Logger, SettingsError, startInternalServer } from '@svc/boot'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { mailRoute, openChannelPlatforms } from '@svc/channels'
import { openMail } from '@svc/mail'
import { connectorSettings } from '@svc/connectors'
import { startExecutor } from '@svc/executor'
import { openGateway, publishNamed, upstreamOf } from '@svc/gateway'
import { saveLogin } from '@svc/cli'
import { sessionConnections } from '@svc/connectors/sessions'
import { sessionModels } from '@svc/spend'
import { bootstrap, type BootstrapFile, newSignInLink, openIdentity } from '@svc/identity'
import {
  applicationName,
  directUrl,
  failedChecks,
  followDrain,
  migrateSchema,
  openPlatform,
  type Platform,
  registerProcess,
  serviceMetrics,
  tracingOf,
} from '@svc/platform'
import { backupBeforeUpgrade } from './backups/before-upgrade.ts'
import { requireWhole } from './backups/require-whole.ts'
import { build } from './build.ts'
import { type DataDir, mailUrl, openDataDir } from './data-dir.ts'
import { originOf, type StandaloneEnv } from './env.ts'
import { metricsToken } from './metrics-token.ts'
import { gatewayKeySettings, masterKeySettings, replaceMasterKey } from './master-key.ts'
import { requireFreePort } from './ports.ts'
import { messageOf, StartError } from './start-error.ts'
import { openSandboxes } from './open-sandboxes.ts'
import { startWorkers } from './start-workers.ts'

export interface RunningPlatform {
  readonly origin: string
  /** The name of this host in the `svc` client of this user. */
  readonly host: string
  readonly internal_port: number | undefined
  readonly bootstrap: BootstrapFile
  readonly why: string
  readonly model: string
  readonly docs: boolean
  /** The address that signs the owner in once; null where no dashboard is built. */
  readonly dashboard: string | null
}

/**
 * Every service of the platform in this process. Every opened service is deferred to `lifecycle`, so that it ends in
 * order; a start that is under way when the process ends throws.
 */
export async function startPlatform(
  env: StandaloneEnv,
  app_dir: string,
  log: Logger,
  lifecycle: Lifecycle,
  stopping: AbortSignal,
): Promise<RunningPlatform> {
  // Files made from here on, git's included, are for this user alone; those that sandboxes need are opened by name.
  process.umask(0o077)
  const internal_port = env.SVC_INTERNAL_PORT ?? env.SVC_PORT + 1
  await requireFreePort(env.SVC_HOST, env.SVC_PORT, 'SVC_PORT')
  await requireFreePort('127.0.0.1', internal_port, 'SVC_INTERNAL_PORT')
  const apps_port = env.SVC_APPS_PORT ?? env.SVC_PORT + 3
  await requireFreePort(env.SVC_HOST, apps_port, 'SVC_APPS_PORT')
  const data = await openDataDir(env.SVC_DATA_DIR, log)
  await requireWhole(data)
  const database_url = env.DATABASE_URL ?? (await embeddedDatabase(data, log, lifecycle, stopping))
  const origin = originOf(env)
  const internal_url = `http://127.0.0.1:${internal_port}`
  const sandboxes = await openSandboxes(env, app_dir, data, { origin, internal_url }, log, lifecycle)
  const { SVC_DATABASE_DIRECT_URL, SVC_DB_PREPARED } = env
  const addresses = { DATABASE_URL: database_url, SVC_DATABASE_DIRECT_URL, SVC_DB_PREPARED }
  const settings = platformEnv(env, data, database_url, origin, { internal_port, apps_port })
  const { commit } = build()
  const metrics = serviceMetrics('standalone', commit)
  const upgrade = async () => {
    if (env.SVC_BACKUP_BEFORE_UPGRADE)
      await backupBeforeUpgrade(settings, directUrl(settings), { data_dir: env.SVC_DATA_DIR, log, metrics })
    await migrateSchema(addresses)
  }
  await upgrade().catch((cause: unknown) => {
    if (cause instanceof StartError || env.DATABASE_URL === undefined) throw cause
    throw new StartError(`DATABASE_URL: that PostgreSQL cannot be used (${messageOf(cause)})`, { cause })
  })

  const name = { process_id: randomUUID(), service: 'standalone' }
  const tracing = await tracingOf('standalone', env, log)
  lifecycle.defer('traces', () => tracing?.close())
  const opening = { metrics, tracing, application_name: applicationName(name) }
  const platform = await openPlatform(settings, log, opening)
  lifecycle.defer('platform', (force) => platform.close(force))
  const registration = await registerProcess(platform.ctx.db, {
    ...name,
    connections: platform.connections,
    commit,
    machine: env.SVC_MACHINE,
    log,
  })
  lifecycle.defer('registration', () => registration.close())
  lifecycle.onLeaving((reason) => registration.drain(reason))
  const identity = await openIdentity(platform.ctx, settings).catch((cause: unknown) => {
    throw cause instanceof SettingsError ? new StartError(cause.message, { cause }) : cause
  })
  lifecycle.defer('identity', () => identity.close())
  await replaceMasterKey(data.master_key, platform, log)
  if (env.REDIS_URL !== undefined) await requireRedis(platform, env.REDIS_URL)
  const dashboard_dir = join(app_dir, 'dist/dashboard')
  const upstream = upstreamOf(env)
  await publishNamed(platform.ctx.db, { named: env.providers, upstream, now: new Date() })
  const gateway = openGateway({
    ...platform.ctx,
    upstream,
    named: env.providers,
    offered_models: env.SVC_MODELS,
    default_model: env.SVC_GATEWAY_DEFAULT_MODEL,
    outbound_addresses: env.SVC_OUTBOUND_ADDRESSES,
    sealer: platform.ctx.provider_sealer,
  })
  lifecycle.defer('model gateway', () => gateway.close())
  const executor = startExecutor(platform, env)
  lifecycle.defer('executor', (force) => executor.close(force))
  const mail = openMail({ ...env, SVC_MAIL_URL: mailUrl(env, data) }, log, { retry_ms: [] })
  const channels = openChannelPlatforms(env.SVC_OUTBOUND_ADDRESSES, mailRoute(env, mail))
  lifecycle.defer('platforms of channels', () => channels.close())
  const api = await startApi(
    {
      ...identity.ctx,
      session_models: sessionModels(platform.ctx),
      session_connections: sessionConnections,
      template_refusal: sandboxes.provider.refusal,
      ...build(),
      executor: executor.executor,
      computer_door: async (key, upgrade) => executor.executor.accept(key, upgrade),
      connector_settings: connectorSettings(env),
      channel_platforms: channels.platforms,
      backup_target: env.SVC_BACKUP_TO,
      stripe_webhook_secret: env.SVC_STRIPE_WEBHOOK_SECRET,
      public_docs: env.OPENAPI_PUBLIC_DOCS === 'true',
      dashboard_dir,
      mounts: [{ path: '/v1/llm', fetch: gateway.app.fetch }],
    },
    { host: env.SVC_HOST, port: env.SVC_PORT },
  )
  lifecycle.defer('api', (force) => api.close(force))
  const app_proxy = await startAppProxy(
    {
      db: platform.ctx.db,
      listener: platform.ctx.listener,
      objects: platform.ctx.objects,
      apps_url: settings.SVC_APPS_URL,
      public_url: origin,
      log,
      metrics,
      wake_ms: env.SVC_APPS_WAKE_SECONDS * 1000,
    },
    { host: env.SVC_HOST, port: apps_port },
  )
  lifecycle.defer('app proxy', (force) => app_proxy.close(force))
  // After the API, and so closed before it: the last words of a sandbox that is stopped are for the API.
  const { trigger_lag_seconds } = startWorkers(env, data, platform, sandboxes, lifecycle, {
    app_dir,
    metrics,
    database_url: directUrl(settings),
  })
  const internal = await startInternalServer({
    host: '127.0.0.1',
    port: internal_port,
    checks: { ...platform.checks, provider: () => sandboxes.provider.list() },
    on_failed_check: failedChecks(log),
    metrics,
    metrics_token: env.SVC_METRICS_TOKEN ?? (await metricsToken(data.metrics_token)),
    figures: { trigger_lag_seconds },
  })
  lifecycle.defer('internal server', () => internal.close())
  lifecycle.onLeaving(() => internal.drain())
  followDrain({ log, queue: platform.queue }, registration, internal)

  const first = await bootstrap(platform, data.bootstrap, origin)
  const { host } = await saveLogin({
    api_url: first.api_url,
    token: first.token,
    config_file: env.SVC_CONFIG_FILE,
  })
  const dashboard = servesDashboard(dashboard_dir) ? await dashboardLink(platform, first) : null
  stopping.throwIfAborted()
  return {
    origin,
    host,
    internal_port: internal.port,
    bootstrap: first,
    why: sandboxes.why,
    docs: env.OPENAPI_PUBLIC_DOCS === 'true',
    dashboard,
    model: modelName(env),
  }
}

/**
 * Behind `#`, so that no server and no log of one sees the token that signs in; the page takes it out of the address.
 */
async function dashboardLink({ ctx }: Platform, { dashboard_url, user_id }: BootstrapFile): Promise<string> {
  return `${dashboard_url}#type=magic_link&token=${await newSignInLink(ctx, { user_id })}`
}

/** A folder that another platform uses, or that is not ours to use, is for the person to mend. */
async function embeddedDatabase(
  data: DataDir,
  log: Logger,
  lifecycle: Lifecycle,
  stopping: AbortSignal,
): Promise<string> {
  try {
    const database = await startEmbeddedPostgres({ data_dir: data.database, log, stopping })
    lifecycle.defer('database', (force) => database.close(force))
    return database.connection_string
  } catch (cause) {
    throw new StartError(`The embedded database does not start. ${messageOf(cause)}`, { cause })
  }
}

/** A running platform waits for a Redis that went away; one that is not there at the start is a wrong address. */
async function requireRedis(platform: Platform, url: string): Promise<void> {
  await platform.queue.ping().catch((cause: unknown) => {
    throw new StartError(`REDIS_URL: no Redis answers at ${new URL(url).host}`, {
      cause,
    })
  })
}

function platformEnv(
  env: StandaloneEnv,
  data: DataDir,
  database_url: string,
  origin: string,
  { internal_port, apps_port }: { readonly internal_port: number; readonly apps_port: number },
) {
  return {
    ...env,
    DATABASE_URL: database_url,
    SVC_PUBLIC_URL: origin,
    SVC_APPS_URL: env.SVC_APPS_URL ?? `http://localhost:${apps_port}`,
    SVC_REPOSITORIES_DIR: data.repositories,
    SVC_MIRRORS_DIR: data.mirrors,
    SVC_OBJECT_STORE: env.SVC_OBJECT_STORE ?? pathToFileURL(data.objects).href,
    ...masterKeySettings(data.master_key),
    SVC_GATEWAY_MASTER_KEY:
      env.SVC_GATEWAY_MASTER_KEY ?? gatewayKeySettings(data.gateway_key).SVC_GATEWAY_MASTER_KEY,
    SVC_LLM_BASE_URL: `${origin}/v1/llm`,
    SVC_MAIL_URL: mailUrl(env, data),
    SVC_INTERNAL_HOST: '127.0.0.1',
    SVC_INTERNAL_PORT: internal_port,
    SVC_SCHEMA_WAIT_SECONDS: 0,
    SVC_COMMIT: build().commit,
  }
}

function modelName(env: StandaloneEnv): string {
  return env.SVC_MODEL_BASE_URL === undefined
    ? 'demo (scripted answers, no AI; set SVC_MODEL_BASE_URL, SVC_MODEL_API_KEY and SVC_MODEL for a real one)'
    : `${env.SVC_MODEL ?? ''} at ${new URL(env.SVC_MODEL_BASE_URL).host}`
}
