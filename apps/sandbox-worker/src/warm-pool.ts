import { drainPool, fillPool, measurePool, type SandboxContext, type WarmPool } from '@svc/services'

export interface WarmPoolLoop {
  /** One was taken: the next look comes soon, once the session that took it had its start. */
  taken(): void
  /** `remove` ends the sandboxes that wait, for a platform that takes its sandboxes with it. */
  close(options: { remove: boolean }): Promise<void>
}

const lookMs = 10_000
/** A pool that keeps none may still hold sandboxes of an earlier time. */
const emptyLookMs = 60_000
const afterTakenMs = 2_000

/** Keeps the pool at its size for as long as this process lives, and removes the sandboxes that an earlier one left. */
export function startWarmPool(
  context: (signal: AbortSignal) => SandboxContext,
  warm_pool: WarmPool,
): WarmPoolLoop {
  const stop = new AbortController()
  const { signal } = stop
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<void> = Promise.resolve()

  function lookIn(ms: number): void {
    if (signal.aborted) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => {
      timer = null
      // One at a time, so that a caller that closes waits for all of them.
      looking = looking.then(look)
    }, ms)
    timer.unref()
  }

  async function look(): Promise<void> {
    if (signal.aborted) return
    const ctx = { ...context(signal), warm_pool }
    try {
      await fillPool(ctx)
      await measurePool(ctx)
    } catch (error) {
      if (!signal.aborted) ctx.log.warn({ err: error }, 'the pool of warm sandboxes was not filled')
    }
    if (timer === null) lookIn(warm_pool.size === 0 ? emptyLookMs : lookMs)
  }

  looking = look()
  return {
    taken: () => {
      if (warm_pool.size > 0) lookIn(afterTakenMs)
    },
    close: async ({ remove }) => {
      stop.abort()
      if (timer) clearTimeout(timer)
      await looking
      if (remove) await drainPool({ ...context(new AbortController().signal), warm_pool })
    },
  }
}
