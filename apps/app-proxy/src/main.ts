import { databaseChecks } from '@svc/platform/readiness'
import { DatabaseListener } from '@svc/db'
import { openObjectStore } from '@svc/objects'
import { directUrl, openDatabase, runService } from '@svc/platform/service'
import { storeKeys } from '@svc/platform/env'
import { readEnv } from './env.ts'
import { startAppProxy } from './start.ts'

await runService({
  name: 'app-proxy',
  readEnv,
  session: true,
  open(env, opening) {
    const db = openDatabase(env, opening)
    return {
      db,
      tracing: opening.tracing,
      connections: env.SVC_DB_POOL + 1,
      checks: databaseChecks(db),
      close: () => db.destroy(),
    }
  },
  async start({ db }, env, lifecycle, metrics, log) {
    const { SVC_OBJECT_STORE: store, SVC_APPS_URL: apps_url, SVC_PUBLIC_URL: public_url } = env
    const listener = new DatabaseListener(directUrl(env))
    lifecycle.defer('listener', () => listener.close())
    const objects = store === undefined ? undefined : await openObjectStore(store, storeKeys(env))
    lifecycle.defer('objects', async () => objects?.close())
    const proxy = await startAppProxy(
      {
        ...{ db, listener, objects, apps_url, public_url, log, metrics },
        wake_ms: env.SVC_APPS_WAKE_SECONDS * 1000,
        is_proxy: env.SVC_TRUSTED_PROXIES,
      },
      { host: env.SVC_HOST, port: env.SVC_PORT },
    )
    lifecycle.defer('app-proxy', (force) => proxy.close(force))
    log.info({ port: proxy.port }, 'Listening')
    return { checks: objects === undefined ? {} : { objects: () => objects.check() } }
  },
})
