import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { createMetrics, type Logger } from '@svc/boot'
import { type BaseContext, previewPlace, watchMaintenance } from '@svc/context'
import { createDatabase, type Db, DatabaseListener } from '@svc/db'
import { createQueue, type Enqueue, type JobQueue, openPubSub, queueConnections } from '@svc/queue'
import { closeVerdicts } from '@svc/services'
import { untilAborted } from '@svc/timing'
import type { PlatformEnv } from './env.ts'
import { harnessPolicy } from './harness-env.ts'
import { databaseChecks } from './readiness/database-checks.ts'
import { folderCheck } from './readiness/folder-check.ts'
import { watchDisks, watchFolder } from './metrics/folder-meter.ts'
import { poolMeter } from './metrics/pool-meter.ts'
import { gatewaySealer } from './master-key/gateway-key.ts'
import { directUrl, openDatabase, type Opening } from './database/open-database.ts'
import { openStorage } from './open-storage.ts'

export interface Platform {
  readonly ctx: BaseContext
  readonly queue: JobQueue
  readonly locks: Db
  readonly folders: { readonly repositories: string; readonly mirrors: string }
  /** Name of the host. */
  readonly machine: string
  /** As many to PostgreSQL as it may open. */
  readonly connections: number
  /** Each throws when the part cannot be used. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>
  /** Waits for what is still in use, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

/** Opens what a process of the platform works with; everything is closed again when a part does not open. */
export async function openPlatform(
  env: PlatformEnv,
  log: Logger,
  { metrics = createMetrics('platform'), tracing, application_name }: Partial<Opening> = {},
): Promise<Platform> {
  const opened: (() => Promise<unknown>)[] = []
  const close = async (force = new AbortController().signal) => {
    for (const end of opened.splice(0).reverse()) await untilAborted(end(), force)
  }
  opened.push(closeVerdicts)
  const previews = previewPlace(env)
  const direct = directUrl(env)
  try {
    const db = openDatabase(env, { metrics, application_name })
    opened.push(() => db.destroy())
    const meter = poolMeter(metrics, 'locks')
    const locks = createDatabase(direct, { max: env.SVC_DB_LOCK_POOL, application_name, meter })
    opened.push(() => locks.destroy())
    const listener = new DatabaseListener(direct, { application_name })
    opened.push(() => listener.close())
    const storage = await openStorage(env, log, metrics)
    opened.push(() => storage.close())
    const { repositories, objects, vault } = storage
    const folders = { repositories: env.SVC_REPOSITORIES_DIR, mirrors: env.SVC_MIRRORS_DIR }
    watchDisks(metrics, folders)
    const unwatch = watchFolder(folders.mirrors, (bytes) =>
      metrics.set('svc_mirror_bytes', { store: 'folder' }, bytes),
    )
    opened.push(async () => unwatch())
    const queue = await createQueue(env.REDIS_URL ?? direct, { log, application_name })
    opened.push(() => queue.close())
    const pubsub = env.REDIS_URL === undefined ? undefined : openPubSub(env.REDIS_URL, { log })
    opened.push(async () => pubsub?.close())
    const now = () => new Date()
    const watch = await watchMaintenance({ db, listener, now, log })
    opened.push(async () => watch.close())
    const ctx: BaseContext = {
      db,
      listener,
      repositories,
      objects,
      enqueue: hint(queue.enqueue, log),
      queue_depth: queue.depth,
      pubsub,
      vault,
      provider_sealer: gatewaySealer(env),
      settings: {
        api_url: `${env.SVC_PUBLIC_URL}/v1`,
        llm_base_url: env.SVC_LLM_BASE_URL ?? null,
        session_cap: env.SVC_SESSION_CAP ?? null,
        idle_after_seconds: env.SVC_IDLE_SECONDS,
        trigger_idle_after_seconds: env.SVC_TRIGGER_IDLE_SECONDS,
        ask_timeout_seconds: env.SVC_ASK_TIMEOUT_SECONDS,
        api_wait_seconds: env.SVC_API_WAIT_SECONDS,
        offered_models: env.SVC_MODELS,
        default_model: env.SVC_GATEWAY_DEFAULT_MODEL,
        outbound_addresses: env.SVC_OUTBOUND_ADDRESSES,
        apps_url: env.SVC_APPS_URL,
        harnesses: harnessPolicy(env),
        previews,
      },
      log,
      metrics,
      tracing,
      maintenance: watch.current,
      now,
      newId: randomUUID,
    }
    const checks = {
      ...databaseChecks(db),
      queue: () => queue.ping(),
      repositories: folderCheck(folders.repositories),
      objects: () => objects.check(),
    }
    const machine = env.SVC_MACHINE ?? hostname()
    const connections =
      env.SVC_DB_POOL + env.SVC_DB_LOCK_POOL + 1 + (env.REDIS_URL === undefined ? queueConnections : 0)
    return { ctx, queue, locks, folders, machine, connections, checks, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A job only says that a row is owed work. When it cannot be stored, the sweep finds the row, so the call succeeds. */
function hint(enqueue: Enqueue, log: Logger): Enqueue {
  return async (queue, name, payload, options) => {
    try {
      await enqueue(queue, name, payload, options)
    } catch (error) {
      log.warn({ err: error, queue, job: name, payload }, 'A job was not stored; the sweep will find its row')
    }
  }
}
