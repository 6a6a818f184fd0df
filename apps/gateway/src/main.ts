import { randomUUID } from 'node:crypto'
import { databaseChecks } from '@svc/platform/readiness'
import { openObjectStore } from '@svc/objects'
import { gatewaySealer, storeKeys } from '@svc/platform/env'
import { openDatabase, runService } from '@svc/platform/service'
import { readEnv } from './env.ts'
import { startGateway } from './serve.ts'
import { publishNamed } from './config/named-providers.ts'
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
    const [now, upstream] = [() => new Date(), upstreamOf(env)]
    await publishNamed(db, { named: env.providers, upstream, now: now() })
    const store = env.SVC_OBJECT_STORE
    const objects = store === undefined ? undefined : await openObjectStore(store, storeKeys(env))
    lifecycle.defer('objects', async () => objects?.close())
    const gateway = await startGateway(
      {
        ...{ db, log, metrics, tracing, now, upstream },
        newId: randomUUID,
        named: env.providers,
        offered_models: env.SVC_MODELS,
        default_model: env.SVC_GATEWAY_DEFAULT_MODEL,
        outbound_addresses: env.SVC_OUTBOUND_ADDRESSES,
        sealer: gatewaySealer(env),
        objects,
      },
      { host: env.SVC_HOST, port: env.SVC_PORT },
    )
    lifecycle.defer('gateway', (force) => gateway.close(force))
    log.info({ port: gateway.port, model: env.SVC_MODEL ?? 'demo (scripted)' }, 'Listening')
  },
})
