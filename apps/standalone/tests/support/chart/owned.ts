import { emptyDatabase } from '@svc/db/testing'
import { openTestBucket } from '@svc/objects/testing'
import { builtEntry } from '../platform/apps.ts'
import { forwardTo } from '../platform/forward.ts'
import { startRedis } from '../platform/redis.ts'
import { makeRoleUrls } from '../platform/role-urls.ts'
import { tcpDatabase } from '../platform/tcp-database.ts'

/** Servers that a chart leaves to the operator, outside of the cluster and reached from its pods. */
export interface Owned {
  /** With the role of a service, or of the schema's `owner`. */
  readonly database: (app: string) => string
  readonly redis: string
  /** Settings of the place of objects. */
  readonly objects: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function startOwned(host: string): Promise<Owned> {
  const [database, redis, bucket] = await Promise.all([
    tcpDatabase(emptyDatabase()),
    startRedis(),
    openTestBucket(),
  ])
  const place = bucket.place('chart')
  const [port, store_port] = [new URL(redis.url).port, /127\.0\.0\.1:(\d+)/.exec(place)?.[1]]
  const forwards = await Promise.all(
    [port, store_port].map((one) => forwardTo({ host: '127.0.0.1', port: Number(one) })),
  )
  const [redisAt, storeAt] = forwards.map((forward) => `${host}:${forward.port}`)
  const urlOf = await makeRoleUrls(database.connection_string, builtEntry('api'))
  return {
    database: (app) => urlOf(app).replace('127.0.0.1', host),
    redis: `redis://${redisAt}`,
    objects: {
      SVC_OBJECT_STORE: place.replace(`127.0.0.1:${store_port}`, storeAt ?? ''),
      SVC_OBJECT_STORE_ACCESS_KEY: bucket.keys.access_key,
      SVC_OBJECT_STORE_SECRET_KEY: bucket.keys.secret_key,
    },
    close: async () => {
      await Promise.all(forwards.map((forward) => forward.close()))
      await Promise.all([database.close(), redis.close(), bucket.close()])
    },
  }
}
