import {
  countInstances,
  lookAfterInstances,
  removeStrays,
  type Running,
  settleInstances,
  wakeRelease,
} from '@svc/apps/work'
import type { Outages } from '@svc/boot'
import { every } from '@svc/platform'

const lookMs = 1000
const settleMs = 15_000
/** Signs of life, up to which is counted, come no more often. */
const soonestMs = 5_000
const strayMs = 60_000
/** Starts that visitors wait for at a time; what is more waits in the queue. */
const maxWakes = 16

/** Looks after everything that runs: what it costs, whether it lives, and who waits for it. */
export function lookAfter(ctx: Running, outages: Outages): { stop(): Promise<void> } {
  let strays: ReadonlySet<string> = new Set()
  const waking = new Set<Promise<void>>()
  let settleIn = settleMs
  const loops = [
    every({ ms: lookMs, work: () => lookAfterInstances(ctx), outages, name: 'the look at running apps' }),
    every({
      ms: () => settleIn,
      work: async () => {
        // A cap is to be met as it is reached, and not a whole pause later.
        settleIn = Math.max(soonestMs, Math.min(settleMs, await settleInstances(ctx)))
        await countInstances(ctx)
      },
      outages,
      name: 'the metering of apps',
    }),
    every({
      ms: strayMs,
      work: async () => {
        strays = await removeStrays(ctx, strays)
      },
      outages,
      name: 'the sweep for sandboxes of apps',
    }),
  ]
  // Visitors wait: it is started here, without a way through the queue, which has it as well should this process end.
  const unsubscribe = ctx.listener.subscribe('app_wake', (payload) => {
    if (payload === null) return loops[0]?.retry()
    if (waking.size >= maxWakes) return void ctx.enqueue('app', 'app.wake', payload)
    const started = wakeRelease(ctx, payload)
      .catch((error: unknown) => {
        if (!ctx.signal.aborted)
          ctx.log.warn({ err: error, ...payload }, 'An app was not woken; it is tried again')
      })
      .finally(() => waking.delete(started))
    waking.add(started)
  })
  return {
    async stop() {
      unsubscribe()
      await Promise.all([...loops.map((loop) => loop.stop()), ...waking])
    },
  }
}
