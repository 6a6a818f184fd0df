import { appRules, runDeployable } from '@svc/platform'
import { readEnv } from './env.ts'
import { startAppWorker } from './start.ts'

/** Programs are run by the platform in one process alone; by itself this worker releases files. */
const filesAlone = { name: 'files', processes: false, images: false }

await runDeployable({
  name: 'app-worker',
  readEnv,
  start(platform, env, lifecycle) {
    const running = startAppWorker(platform, {
      ...{ concurrency: env.SVC_APPS_CONCURRENCY, backup_window_days: env.SVC_BACKUP_WINDOW_DAYS },
      ...{ builds: env.SVC_APPS_BUILDS, start_seconds: env.SVC_APPS_START_SECONDS },
      rules: appRules(env, filesAlone),
    })
    lifecycle.defer('app-worker', (force) => running.close(force))
  },
})
