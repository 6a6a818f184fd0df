import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SettingsError } from '@svc/boot'
import { appRules, type Platform, runDeployable } from '@svc/platform'
import { bootBundle, sandboxChoice, sandboxTools } from '@svc/sandbox/providers'
import { type AppWorkerEnv, readEnv } from './env.ts'
import { type AppPrograms, openAppPrograms } from './open-programs.ts'
import { startAppWorker } from './start.ts'

const appDir = dirname(dirname(fileURLToPath(import.meta.url)))

/** Of a worker that has no place for programs. */
const filesAlone = { name: 'files', processes: false, images: false, dockerfiles: false }

await runDeployable({
  name: 'app-worker',
  readEnv,
  async start(platform, env, lifecycle) {
    const opened = await open(platform, env)
    // Programs go on while their worker is replaced: the next one looks after them.
    lifecycle.defer('programs of apps', (force) => opened?.close({ stop_sandboxes: false, force }))
    const running = startAppWorker(platform, {
      ...{ concurrency: env.SVC_APPS_CONCURRENCY, backup_window_days: env.SVC_BACKUP_WINDOW_DAYS },
      ...{ builds: env.SVC_APPS_BUILDS, start_seconds: env.SVC_APPS_START_SECONDS },
      programs: opened?.programs,
      rules: appRules(
        env,
        opened === null ? filesAlone : { name: opened.programs.name, ...opened.programs.runs },
      ),
    })
    lifecycle.defer('app-worker', (force) => running.close(force))
  },
})

async function open({ ctx }: Platform, env: AppWorkerEnv): Promise<AppPrograms | null> {
  const { SVC_PROGRAMS_DIR: root, SVC_DEPLOYMENT: deployment } = env
  if (root === undefined) return null
  const tools = sandboxTools(appDir, { runtime_binaries: env })
  const place = { api_url: ctx.settings.api_url, tools, boot_bundle: bootBundle(appDir) }
  const opened = await openAppPrograms({ ...sandboxChoice(env, place), root, deployment }, ctx.log)
  const problem = opened.openMetricsProblem(env.SVC_METRICS_TOKEN)
  if (problem !== null) throw new SettingsError([problem])
  return opened
}
