import type { Metrics } from '@svc/boot'
import type { PoolMeter } from '@svc/db'

/** Says in the metrics how a pool of connections to PostgreSQL is used. */
export function poolMeter(metrics: Metrics, pool: 'main' | 'locks'): PoolMeter {
  return {
    waited: (seconds) => metrics.observe('svc_db_pool_wait_seconds', { pool }, seconds),
    watch: (read) =>
      metrics.beforeRender(() => {
        for (const [state, value] of Object.entries(read()))
          metrics.set('svc_db_pool_connections', { pool, state }, value)
      }),
  }
}
