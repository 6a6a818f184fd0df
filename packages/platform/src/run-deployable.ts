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
    session: true,
    open: async (env: E, opening) => {
      const platform = await openPlatform(env, opening.log, opening)
      return { platform, ...platform, db: platform.ctx.db }
    },
    start: ({ platform }, env, lifecycle, metrics) => start(platform, env, lifecycle, metrics),
  })
}
