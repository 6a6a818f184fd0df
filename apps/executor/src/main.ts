import { executorKey } from '@svc/connectors'
import { runDeployable } from '@svc/platform'
import { openDoor } from './door.ts'
import { originAt, readEnv } from './env.ts'
import { startExecutor } from './start.ts'

/** An address that listens everywhere leads nowhere. */
const isWildcard = (host: string) => host === '0.0.0.0' || host === '::'

await runDeployable({
  name: 'executor',
  readEnv,
  async start(platform, env, lifecycle) {
    const { log, now } = platform.ctx
    const { SVC_EXECUTOR_HOST: host, SVC_EXECUTOR_PORT: port } = env
    const at = env.SVC_EXECUTOR_ADDRESS ?? (isWildcard(host) || port === 0 ? undefined : host)
    const address = at === undefined ? undefined : originAt(at, port)
    const key = executorKey(env.SVC_MASTER_KEY)
    const running = startExecutor(platform, {
      ...env,
      peers: address === undefined ? undefined : { address, key },
    })
    lifecycle.defer('executor', (force) => running.close(force))
    const masters = [env.SVC_MASTER_KEY, ...Object.values(env.SVC_OTHER_MASTER_KEYS ?? {})]
    const door = await openDoor({
      executor: running.executor,
      keys: masters.map(executorKey),
      ...{ host, port, log, now },
    })
    // Closed first: calls that the API handed over end before what carries them out does.
    lifecycle.defer('door', (force) => door.close(force))
    log.info({ host, port: door.port }, 'Listening')
  },
})
