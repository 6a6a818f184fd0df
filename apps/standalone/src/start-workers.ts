import { startAppWorker } from '@svc/app-worker'
import type { Lifecycle, Metrics } from '@svc/boot'
import { startChannelWorker } from '@svc/channel-worker'
import { startMergeWorker } from '@svc/merge-worker'
import { appRules, type Platform, watchDisks } from '@svc/platform'
import { harnessLocks, openHarnessInstaller, startSandboxWorker, warmPoolOf } from '@svc/sandbox-worker'
import { startScheduler } from '@svc/scheduler'
import { type DataDir, mailUrl } from './data-dir.ts'
import type { StandaloneEnv } from './env.ts'
import type { Sandboxes } from './open-sandboxes.ts'

/** Everything that takes jobs or looks at the clock: sandboxes, merges, triggers and sweeps. */
export function startWorkers(
  env: StandaloneEnv,
  data: DataDir,
  platform: Platform,
  { tools, programs, handOver }: Sandboxes,
  lifecycle: Lifecycle,
  {
    app_dir,
    metrics,
    database_url,
  }: { readonly app_dir: string; readonly metrics: Metrics; readonly database_url: string },
) {
  const { settings } = platform.ctx
  watchDisks(metrics, { sandboxes: data.sandboxes })
  const provider = handOver()
  const sandboxes = startSandboxWorker(platform, provider, {
    concurrency: 8,
    harnesses: openHarnessInstaller({
      ...{ sandboxes: data.sandboxes, locks: harnessLocks(app_dir) },
      env: env.inherited,
    }),
    warm_pool: warmPoolOf({
      size: env.SVC_WARM_POOL_SIZE,
      runtime: env.SVC_WARM_POOL_RUNTIME,
      provider,
      deployment: env.SVC_DEPLOYMENT,
      folder: data.sandboxes,
      tools,
      addresses: [settings.api_url, settings.llm_base_url],
    }),
  })
  lifecycle.defer('sandboxes', (force) => sandboxes.close({ stop_sandboxes: true, force }))
  const merges = startMergeWorker(platform, { concurrency: 4 })
  lifecycle.defer('merge worker', (force) => merges.close(force))
  const apps = startAppWorker(platform, {
    concurrency: 2,
    backup_window_days: env.SVC_BACKUP_WINDOW_DAYS,
    programs,
    builds: env.SVC_APPS_BUILDS,
    start_seconds: env.SVC_APPS_START_SECONDS,
    rules: appRules(env, { name: programs.name, ...programs.runs }),
  })
  lifecycle.defer('app worker', (force) => apps.close(force))
  const ctx = { ...platform.ctx, template_refusal: provider.refusal }
  const channels = startChannelWorker({ ...platform, ctx }, { ...env, SVC_MAIL_URL: mailUrl(env, data) })
  lifecycle.defer('channel worker', (force) => channels.close(force))
  const scheduler = startScheduler({ ...platform, ctx }, env, { metrics, database_url })
  lifecycle.defer('scheduler', (force) => scheduler.close(force))
  return { trigger_lag_seconds: () => scheduler.lagSeconds() }
}
