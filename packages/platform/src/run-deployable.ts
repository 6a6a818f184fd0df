import type { Lifecycle, Metrics } from '@svc/boot'
import type { PlatformEnv } from './env.ts'
import { openPlatform, type Platform } from './open.ts'
import { runService, type Service, type Started } from './service/run-service.ts'

export interface Deployable<E extends PlatformEnv> extends Pick<
  Service<E, never>,
  'name' | 'readEnv' | 'prepare'
> {
  /** Opens the deployable's own part and defers its end. */
  readonly start: (
    platform: Platform,
    env: E,
    lifecycle: Lifecycle,
    metrics: Metrics,
  ) => Promise<Started | void> | Started | void
}

/** The life of a deployable that works with everything that the platform has. */
export async function runDeployable<E extends PlatformEnv>({
  start,
  ...deployable
}: Deployable<E>): Promise<void> {
  await runService({
    ...deployable,
    open: async (env: E, log, metrics) => {
      const platform = await openPlatform(env, log, metrics)
      return { platform, db: platform.ctx.db, checks: platform.checks, close: platform.close }
    },
    start: ({ platform }, env, lifecycle, metrics) => start(platform, env, lifecycle, metrics),
  })
}
