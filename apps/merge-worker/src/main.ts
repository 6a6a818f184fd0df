import { runDeployable } from '@svc/platform'
import { readEnv } from './env.ts'
import { startMergeWorker } from './start.ts'

await runDeployable({
  name: 'merge-worker',
  readEnv,
  start: (platform, env, lifecycle) => {
    const worker = startMergeWorker(platform, { concurrency: env.SVC_MERGE_CONCURRENCY })
    lifecycle.defer('worker', (force) => worker.close(force))
  },
})
