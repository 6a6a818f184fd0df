import { runDeployable } from '@svc/services'
import { readEnv } from './env.ts'
import { startScheduler } from './start.ts'

await runDeployable({
  name: 'scheduler',
  readEnv,
  start: (platform, _env, lifecycle) => {
    const scheduler = startScheduler(platform)
    lifecycle.defer('sweeps', () => scheduler.close())
  },
})
