import { databaseChecks } from '@svc/platform/readiness'
import { openDatabase, runService } from '@svc/platform/service'
import { readEnv } from './env.ts'
import { startAppProxy } from './start.ts'

await runService({
  name: 'app-proxy',
  readEnv,
  session: false,
  open(env, opening) {
    const db = openDatabase(env, opening)
    return {
      db,
      tracing: opening.tracing,
      connections: env.SVC_DB_POOL,
      checks: databaseChecks(db),
      close: () => db.destroy(),
    }
  },
  async start({ db }, env, lifecycle, _metrics, log) {
    const proxy = await startAppProxy({ db, log }, { host: env.SVC_HOST, port: env.SVC_PORT })
    lifecycle.defer('app-proxy', (force) => proxy.close(force))
    log.info({ port: proxy.port }, 'Listening')
  },
})
