import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from '@svc/boot'
import { appRules, runDeployable } from '@svc/platform'
import { defaultLimits } from '@svc/sandbox/providers'
import { bootBundle, sandboxTools } from '@svc/sandbox-worker'
import { type AppWorkerEnv, readEnv } from './env.ts'
import { type AppPrograms, openAppPrograms } from './open-programs.ts'
import { startAppWorker } from './start.ts'

const appDir = dirname(dirname(fileURLToPath(import.meta.url)))
const filesAlone = { name: 'files', processes: false, images: false }

await runDeployable({
  name: 'app-worker',
  readEnv,
  start: async (platform, env, lifecycle) => {
    const opened = await programsOf(env, platform.ctx.settings.api_url, platform.ctx.log)
    const programs = opened?.programs
    // Apps go on while their worker is replaced: the next one looks after them.
    lifecycle.defer('programs', async (force) => opened?.close({ stop_sandboxes: false, force }))
    const provider = programs === undefined ? filesAlone : { name: programs.name, ...programs.runs }
    const running = startAppWorker(platform, {
      ...{ concurrency: env.SVC_APPS_CONCURRENCY, backup_window_days: env.SVC_BACKUP_WINDOW_DAYS, programs },
      ...{ builds: env.SVC_APPS_BUILDS, start_seconds: env.SVC_APPS_START_SECONDS },
      rules: appRules(env, provider),
    })
    lifecycle.defer('app-worker', (force) => running.close(force))
  },
})

async function programsOf(env: AppWorkerEnv, api_url: string, log: Logger): Promise<AppPrograms | undefined> {
  if (env.SVC_APPS_DIR === undefined) return undefined
  return openAppPrograms(
    {
      SVC_SANDBOX_PROVIDER: env.SVC_SANDBOX_PROVIDER,
      settings: env,
      root: env.SVC_APPS_DIR,
      deployment: env.SVC_DEPLOYMENT,
      api_url,
      egress: {
        mode: env.SVC_SANDBOX_EGRESS,
        forbidden_urls: [env.DATABASE_URL, env.SVC_DATABASE_DIRECT_URL, env.REDIS_URL].flatMap(
          (url) => url ?? [],
        ),
        private_repositories: false,
      },
      default_limits: defaultLimits(env),
      tools: sandboxTools(appDir, {
        agent_bundle: env.SVC_AGENT_BUNDLE,
        appd_bundle: env.SVC_APPD_BUNDLE,
        cli_folder: env.SVC_CLI_FOLDER,
        runtime_binaries: env,
      }),
      boot_bundle: env.SVC_BOOT_BUNDLE ?? bootBundle(appDir),
    },
    log,
  )
}
