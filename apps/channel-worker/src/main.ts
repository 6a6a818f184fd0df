import { runDeployable } from '@svc/platform'
import { readEnv } from './env.ts'
import { startChannelWorker } from './start.ts'

await runDeployable({
  name: 'channel-worker',
  readEnv,
  start(platform, env, lifecycle) {
    const running = startChannelWorker(platform, env)
    lifecycle.defer('channel-worker', (force) => running.close(force))
  },
})
