import { appInstances, type AppInstanceRow } from '@svc/db'
import type { Running } from '../context.ts'
import { checkInstance } from './check-instance.ts'
import { stopInstance } from './stop-instance.ts'

const atOnce = 8
const batch = 2000
/** A start without a sign of life for this long has no worker. */
const quietMs = 10_000

/** One look at every instance that is not over: what is not wanted is sent away, and the rest is looked after. */
export async function lookAfterInstances(ctx: Running): Promise<void> {
  await appInstances.drainUnwanted(ctx.db, ctx.now(), batch)
  const owned = (await appInstances.listOwned(ctx.db, batch)).values()
  const failures: unknown[] = []
  const worker = async () => {
    for (const instance of owned) {
      ctx.signal.throwIfAborted()
      await lookAfter(ctx, instance).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  ctx.signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
}

async function lookAfter(
  ctx: Running,
  { instance_id, release_id, state, updated_at }: AppInstanceRow,
): Promise<void> {
  if (state === 'healthy') return checkInstance(ctx, { instance_id })
  if (state === 'draining') return stopInstance(ctx, { instance_id })
  if (ctx.now().getTime() - updated_at.getTime() > quietMs)
    await ctx.enqueue('app', 'app.wake', { release_id }, { delay_ms: 1 })
}
