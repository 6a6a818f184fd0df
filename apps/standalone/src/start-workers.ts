import type { Lifecycle, Metrics } from '@svc/boot'
import { startMergeWorker } from '@svc/merge-worker'
import { chooseProvider, defaultLimits, kubernetesSettings, SandboxError } from '@svc/sandbox'
import { bootBundle, sandboxTools, startSandboxWorker, warmPoolOf } from '@svc/sandbox-worker'
import { startScheduler } from '@svc/scheduler'
import type { Platform } from '@svc/services'
import type { DataDir } from './data-dir.ts'
import type { StandaloneEnv } from './env.ts'
import { StartError } from './start-error.ts'

/** Everything that takes jobs or looks at the clock: sandboxes, merges, triggers and sweeps. */
export async function startWorkers(
  env: StandaloneEnv,
  app_dir: string,
  data: DataDir,
  platform: Platform,
  lifecycle: Lifecycle,
  internal_url: string,
  metrics: Metrics,
) {
  const { log, settings } = platform.ctx
  const tools = sandboxTools(app_dir, { runtime_binary: env.SVC_RUNTIME_BINARY })
  const scope = env.SVC_DEPLOYMENT
  const kubernetes = kubernetesOf(env)
  const chosen = await chooseProvider({
    SVC_SANDBOX_PROVIDER: env.SVC_SANDBOX_PROVIDER,
    root: data.sandboxes,
    scope,
    api_url: settings.api_url,
    egress: {
      mode: env.SVC_SANDBOX_EGRESS,
      forbidden_urls: [env.DATABASE_URL, env.REDIS_URL, internal_url].flatMap((url) => url ?? []),
      private_repositories: env.SVC_ALLOW_PRIVATE_ADDRESSES,
    },
    default_limits: defaultLimits(env),
    docker: { ...env, boot_bundle: bootBundle(app_dir) },
    kubernetes,
    tools,
    log: (level, message, details) => log[level](details ?? {}, message),
  }).catch((cause: unknown) => {
    if (cause instanceof SandboxError) throw new StartError(`No sandboxes here. ${cause.message}`, { cause })
    throw cause
  })
  log.info({ ...chosen.provider.describe() }, chosen.why)
  const template_refusal = chosen.provider.refusal
  const sandboxes = startSandboxWorker(platform, chosen.provider, {
    concurrency: 8,
    warm_pool: warmPoolOf({
      size: env.SVC_WARM_POOL_SIZE,
      runtime: env.SVC_WARM_POOL_RUNTIME,
      provider: chosen.provider,
      deployment: scope,
      folder: data.sandboxes,
      tools,
      kubernetes,
      addresses: [settings.api_url, settings.llm_base_url],
    }),
  })
  lifecycle.defer('sandboxes', (hurry) => sandboxes.close({ stop_sandboxes: true, hurry }))
  const merges = startMergeWorker(platform, { concurrency: 4 })
  lifecycle.defer('merge worker', (hurry) => merges.close(hurry))
  const scheduler = startScheduler({ ...platform, ctx: { ...platform.ctx, template_refusal } }, env, metrics)
  lifecycle.defer('scheduler', (hurry) => scheduler.close(hurry))
  return { why: chosen.why, template_refusal, trigger_lag_seconds: () => scheduler.lagSeconds() }
}

/** Pods call the API at the port that it has here. */
function kubernetesOf(env: StandaloneEnv) {
  const { platform_ports, ...settings } = kubernetesSettings(env)
  return { ...settings, platform_ports: [...new Set([...platform_ports, env.SVC_PORT])] }
}
