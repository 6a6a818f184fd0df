import { executorKey } from '@svc/connectors'
import { runDeployable } from '@svc/platform'
import { openDoor } from './door.ts'
import { readEnv } from './env.ts'
import { startExecutor } from './start.ts'

await runDeployable({
  name: 'executor',
  readEnv,
  async start(platform, env, lifecycle) {
    const { log, now } = platform.ctx
    const running = startExecutor(platform, env)
    lifecycle.defer('executor', (force) => running.close(force))
    const masters = [env.SVC_MASTER_KEY, ...Object.values(env.SVC_OTHER_MASTER_KEYS ?? {})]
    const door = await openDoor({
      executor: running.executor,
      keys: masters.map(executorKey),
      ...{ host: env.SVC_EXECUTOR_HOST, port: env.SVC_EXECUTOR_PORT, log, now },
    })
    // Closed first: calls that the API handed over end before what carries them out does.
    lifecycle.defer('door', (force) => door.close(force))
    log.info({ host: env.SVC_EXECUTOR_HOST, port: door.port }, 'Listening')
  },
})
