import { directUrl, runDeployable } from '@svc/platform'
import { readEnv } from './env.ts'
import { startScheduler } from './start.ts'

await runDeployable({
  name: 'scheduler',
  readEnv,
  start: (platform, env, lifecycle, metrics) => {
    const scheduler = startScheduler(platform, env, { metrics, database_url: directUrl(env) })
    lifecycle.defer('sweeps', (force) => scheduler.close(force))
    return { figures: { trigger_lag_seconds: scheduler.lagSeconds } }
  },
})
