import { type InstallContext, sweepHarnesses } from '@svc/services'

const pauseMs = 5 * 60_000

/** Sweeps the store of harnesses of this machine for as long as this process lives; a close cuts an install off. */
export function keepHarnesses(context: (signal: AbortSignal) => InstallContext): () => Promise<void> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  const sweep = async () => {
    const ctx = context(stop.signal)
    await sweepHarnesses(ctx).catch((err: unknown) => {
      if (!stop.signal.aborted) ctx.log.warn({ err }, 'The store of harnesses was not swept')
    })
    if (!stop.signal.aborted) timer = setTimeout(next, pauseMs)
  }
  const next = () => {
    sweeping = sweep()
  }
  next()
  return () => {
    stop.abort()
    clearTimeout(timer)
    return sweeping
  }
}
