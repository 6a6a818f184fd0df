import { randomUUID } from 'node:crypto'
import { databaseChecks } from '@svc/platform/readiness'
import { openDatabase, runService } from '@svc/platform/service'
import { readEnv } from './env.ts'
import { startGateway } from './serve.ts'
import { upstreamOf } from './upstream.ts'

await runService({
  name: 'gateway',
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
  async start({ db, tracing }, env, lifecycle, metrics, log) {
    const gateway = await startGateway(
      { db, log, metrics, tracing, now: () => new Date(), newId: randomUUID, upstream: upstreamOf(env) },
      { host: env.SVC_HOST, port: env.SVC_PORT },
    )
    lifecycle.defer('gateway', (force) => gateway.close(force))
    log.info({ port: gateway.port, model: env.SVC_MODEL ?? 'demo (scripted)' }, 'Listening')
  },
})
