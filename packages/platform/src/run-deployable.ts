import {
  createLifecycle,
  createLogger,
  type Lifecycle,
  type Metrics,
  settingsOrExit,
  startInternalServer,
} from '@svc/boot'
import type { PlatformEnv } from './env.ts'
import { openPlatform, type Platform } from './open.ts'
import { serviceMetrics } from './metrics/service-metrics.ts'
import { awaitSchema } from './schema/await-schema.ts'
import { registerProcess } from './schema/registration.ts'

export interface Started {
  /** Numbers beside `ready` at /readyz. */
  readonly figures?: Readonly<Record<string, () => Promise<number>>>
}

export interface Deployable<E extends PlatformEnv> {
  readonly name: string
  readonly readEnv: (source: NodeJS.ProcessEnv) => E
  /** Runs before anything is opened. */
  readonly prepare?: (env: E) => Promise<void>
  /** Opens the deployable's own part and defers its end. */
  readonly start: (
    platform: Platform,
    env: E,
    lifecycle: Lifecycle,
    metrics: Metrics,
  ) => Promise<Started | void> | Started | void
}

/** The life of a deployable that runs by itself: settings, the schema, shared parts, its own part, health, and back. */
export async function runDeployable<E extends PlatformEnv>(deployable: Deployable<E>): Promise<void> {
  const env = settingsOrExit(deployable.name, deployable.readEnv)
  const log = createLogger({ name: deployable.name, level: env.SVC_LOG_LEVEL })
  const lifecycle = createLifecycle(log)
  await lifecycle.run(async (stopping) => {
    await deployable.prepare?.(env)
    await awaitSchema(env.DATABASE_URL, { wait_seconds: env.SVC_SCHEMA_WAIT_SECONDS, stopping, log })
    const metrics = serviceMetrics(deployable.name, env.SVC_COMMIT)
    const platform = await openPlatform(env, log, metrics)
    lifecycle.defer('platform', (force) => platform.close(force))
    const { SVC_COMMIT: commit, SVC_MACHINE: machine } = env
    const registration = await registerProcess(platform.ctx.db, {
      service: deployable.name,
      commit,
      machine,
      log,
    })
    lifecycle.defer('registration', () => registration.close())
    const started = await deployable.start(platform, env, lifecycle, metrics)
    const internal = await startInternalServer({
      host: env.SVC_INTERNAL_HOST,
      port: env.SVC_INTERNAL_PORT,
      checks: platform.checks,
      metrics,
      metrics_token: env.SVC_METRICS_TOKEN,
      ...(started?.figures && { figures: started.figures }),
    })
    lifecycle.defer('internal server', () => internal.close())
    log.info({ internal_port: internal.port }, 'Ready')
  })
}
