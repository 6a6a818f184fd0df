import { runDeployable } from '@svc/platform'
import { readEnv } from './env.ts'
import { startAppWorker } from './start.ts'

await runDeployable({
  name: 'app-worker',
  readEnv,
  start(platform, env, lifecycle) {
    const running = startAppWorker(platform, {
      concurrency: env.SVC_APPS_CONCURRENCY,
      backup_window_days: env.SVC_BACKUP_WINDOW_DAYS,
    })
    lifecycle.defer('app-worker', (force) => running.close(force))
  },
})
