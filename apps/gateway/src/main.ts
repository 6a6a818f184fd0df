import { randomUUID } from 'node:crypto'
import { createLifecycle, createLogger, settingsOrExit, startInternalServer } from '@svc/boot'
import { createDatabase } from '@svc/db'
import { poolMeter, serviceMetrics } from '@svc/platform/metrics'
import { readEnv } from './env.ts'
import { startGateway } from './serve.ts'
import { upstreamOf } from './upstream.ts'

const env = settingsOrExit('gateway', readEnv)
const log = createLogger({ name: 'gateway', level: env.SVC_LOG_LEVEL })
const lifecycle = createLifecycle(log)

await lifecycle.run(async () => {
  const metrics = serviceMetrics('gateway', env.SVC_COMMIT)
  const db = createDatabase(env.DATABASE_URL, { meter: poolMeter(metrics, 'main') })
  lifecycle.defer('database', () => db.destroy())
  const gateway = await startGateway(
    { db, log, metrics, now: () => new Date(), newId: randomUUID, upstream: upstreamOf(env) },
    { host: env.SVC_HOST, port: env.SVC_PORT },
  )
  lifecycle.defer('gateway', (force) => gateway.close(force))
  const internal = await startInternalServer({
    host: env.SVC_INTERNAL_HOST,
    port: env.SVC_INTERNAL_PORT,
    checks: { database: () => db.selectNoFrom((eb) => eb.lit(1).as('one')).execute() },
    metrics,
    metrics_token: env.SVC_METRICS_TOKEN,
  })
  lifecycle.defer('internal server', () => internal.close())
  log.info({ port: gateway.port, model: env.SVC_MODEL ?? 'demo (scripted)' }, 'Listening')
})
