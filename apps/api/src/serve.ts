import { fileURLToPath } from 'node:url'
import { bootstrap, openIdentity } from '@svc/identity'
import { mailRoute, openChannelPlatforms } from '@svc/channels'
import { openMail } from '@svc/mail'
import { connectorSettings, executorKey, noExecutor, remoteComputers, remoteExecutor } from '@svc/connectors'
import { migrateSchema, runDeployable } from '@svc/platform'
import { sessionConnections } from '@svc/connectors/sessions'
import { sessionModels } from '@svc/spend'
import manifest from '../package.json' with { type: 'json' }
import { readEnv } from './env.ts'
import { startApi } from './server.ts'

function executorOf({ SVC_EXECUTOR_URL: url, SVC_MASTER_KEY }: ReturnType<typeof readEnv>) {
  if (url === undefined) return { executor: noExecutor }
  const at = { url, key: executorKey(SVC_MASTER_KEY) }
  return { executor: remoteExecutor(at), computer_door: remoteComputers(at) }
}

await runDeployable({
  name: 'api',
  readEnv,
  async prepare(env) {
    if (env.SVC_MIGRATE === 'auto') await migrateSchema(env)
  },
  async start(platform, env, lifecycle) {
    const { ctx, close } = await openIdentity(platform.ctx, env)
    lifecycle.defer('identity', close)
    if (env.SVC_BOOTSTRAP_FILE !== undefined) {
      await bootstrap(platform, env.SVC_BOOTSTRAP_FILE, env.SVC_PUBLIC_URL)
    }
    const mail = openMail(env, platform.ctx.log, { retry_ms: [] })
    const channels = openChannelPlatforms(env.SVC_OUTBOUND_ADDRESSES, mailRoute(env, mail))
    lifecycle.defer('platforms of channels', () => channels.close())
    const api = await startApi(
      {
        ...ctx,
        session_models: sessionModels(ctx),
        session_connections: sessionConnections,
        version: manifest.version,
        commit: env.SVC_COMMIT,
        ...executorOf(env),
        connector_settings: connectorSettings(env),
        channel_platforms: channels.platforms,
        backup_target: env.SVC_BACKUP_TO,
        stripe_webhook_secret: env.SVC_STRIPE_WEBHOOK_SECRET,
        public_docs: env.OPENAPI_PUBLIC_DOCS,
        dashboard_dir: fileURLToPath(new URL('./dashboard', import.meta.url)),
        trust_proxy: env.SVC_TRUST_PROXY,
        is_proxy: env.SVC_TRUSTED_PROXIES,
        rate_limits: {
          per_address: env.SVC_RATE_LIMIT_PER_ADDRESS ?? null,
          per_token: env.SVC_RATE_LIMIT_PER_TOKEN ?? null,
        },
      },
      { host: env.SVC_HOST, port: env.SVC_PORT },
    )
    lifecycle.defer('api', (force) => api.close(force))
    ctx.log.info({ host: api.host, port: api.port }, 'Listening')
  },
})
