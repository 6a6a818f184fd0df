import { randomUUID } from 'node:crypto'
import {
  createLifecycle,
  createLogger,
  type InternalServer,
  type InternalServerOptions,
  type Lifecycle,
  type Logger,
  type Metrics,
  settingsOrExit,
  startInternalServer,
} from '@svc/boot'
import type { Db } from '@svc/db'
import type { JobQueue } from '@svc/queue'
import { applicationName, directUrl, type Opening } from '../database/open-database.ts'
import { requireSession } from '../database/require-session.ts'
import { watchCeiling } from '../database/watch-ceiling.ts'
import { serviceMetrics } from '../metrics/service-metrics.ts'
import { tracingOf } from '../metrics/tracing-of.ts'
import { followDrain } from '../follow-drain.ts'
import { failedChecks } from '../readiness/failed-checks.ts'
import { awaitSchema } from '../schema/await-schema.ts'
import { registerProcess } from '../schema/registration.ts'
import type { ServiceEnv } from './env.ts'
import { failedStart } from './failed-start.ts'

/** Parts that are open before the work begins. */
export interface Opened extends Pick<InternalServerOptions, 'checks'> {
  readonly db: Db
  /** The jobs that it takes. */
  readonly queue?: Pick<JobQueue, 'pause' | 'resume'>
  /** As many to PostgreSQL as it may open. */
  readonly connections: number
  /** Waits for what is still in use, until `force`. */
  close(force?: AbortSignal): Promise<unknown>
}

/** Parts of /readyz that the work brings; `figures` stand beside `ready`. */
export interface Started extends Pick<InternalServerOptions, 'figures'> {
  /** Beside those that are open before the work begins. */
  readonly checks?: InternalServerOptions['checks']
}

export interface Service<E extends ServiceEnv, P extends Opened> {
  readonly name: string
  readonly readEnv: (source: NodeJS.ProcessEnv) => E
  /** Runs before anything is opened. */
  readonly prepare?: (env: E) => Promise<void>
  /** Whether it needs a connection to PostgreSQL that stays the same: for a lock, LISTEN or the jobs. */
  readonly session: boolean
  readonly open: (env: E, opening: Opening & { readonly log: Logger }) => Promise<P> | P
  /** Begins the work of the service and defers its end. */
  readonly start: (
    opened: P,
    env: E,
    lifecycle: Lifecycle,
    metrics: Metrics,
    log: Logger,
  ) => Promise<Started | void> | Started | void
}

/** The life of a process that runs by itself: settings, the schema, its parts, its work, health, and back. */
export async function runService<E extends ServiceEnv, P extends Opened>(
  service: Service<E, P>,
): Promise<void> {
  const env = settingsOrExit(service.name, service.readEnv)
  const log = createLogger({
    name: service.name,
    level: env.SVC_LOG_LEVEL,
    pretty: env.SVC_LOG_FORMAT === 'pretty',
  })
  const lifecycle = createLifecycle(log, {
    notice_ms: env.SVC_DRAIN_SECONDS * 1_000,
    on_failed_start: failedStart(log, env),
  })
  await lifecycle.run(async (stopping) => {
    await service.prepare?.(env)
    await awaitSchema(directUrl(env), { wait_seconds: env.SVC_SCHEMA_WAIT_SECONDS, stopping, log })
    await requireSession(env, service)
    const metrics = serviceMetrics(service.name, env.SVC_COMMIT)
    const tracing = await tracingOf(service.name, env, log)
    lifecycle.defer('traces', () => tracing?.close())
    const name = { process_id: randomUUID(), service: service.name }
    const opened = await service.open(env, { log, metrics, tracing, application_name: applicationName(name) })
    lifecycle.defer('platform', (force) => opened.close(force))
    const { SVC_COMMIT: commit, SVC_MACHINE: machine } = env
    const registration = await registerProcess(opened.db, {
      ...name,
      commit,
      machine,
      connections: opened.connections,
      log,
    })
    lifecycle.defer('registration', () => registration.close())
    lifecycle.onLeaving((reason) => registration.drain(reason))
    const ceiling = await watchCeiling(opened.db, log)
    lifecycle.defer('ceiling', () => ceiling.close())
    // Answered until the work has ended, so that a proxy and a monitor see a process that leaves, and not one that is lost.
    let internal: InternalServer | null = null
    lifecycle.defer('internal server', () => internal?.close())
    lifecycle.onLeaving(() => internal?.drain())
    const started = await service.start(opened, env, lifecycle, metrics, log)
    stopping.throwIfAborted()
    internal = await startInternalServer({
      host: env.SVC_INTERNAL_HOST,
      port: env.SVC_INTERNAL_PORT,
      checks: { ...opened.checks, ...started?.checks },
      on_failed_check: failedChecks(log),
      metrics,
      metrics_token: env.SVC_METRICS_TOKEN,
      ...(started?.figures && { figures: started.figures }),
    })
    followDrain({ log, queue: opened.queue }, registration, internal)
    log.info({ internal_port: internal.port }, 'Ready')
  })
}
