import { measures } from '@svc/db'
import type { WarmContext } from './pool.ts'

/** Says in the metrics what the pool holds. */
export async function measurePool(ctx: WarmContext): Promise<void> {
  const { name: provider } = ctx.provider
  const rows = await measures.warmRows(ctx.db, ctx.warm_pool.pool)
  ctx.metrics.replace(
    'svc_warm_pool',
    ['warming', 'ready'].map((state) => ({
      labels: { provider, state },
      value: rows.find((row) => row.state === state)?.rows ?? 0,
    })),
  )
}
