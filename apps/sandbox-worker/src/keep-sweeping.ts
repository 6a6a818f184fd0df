/**
 * Sweeps again and again for as long as this process lives, with a pause between. The returned function stops it, and
 * waits for the sweep that runs, whose signal is aborted.
 */
export function keepSweeping(
  sweep: (signal: AbortSignal) => Promise<unknown>,
  { pause_ms, on_failure }: { readonly pause_ms: number; readonly on_failure: (error: unknown) => void },
): () => Promise<void> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  const once = async () => {
    await sweep(stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) on_failure(error)
    })
    if (!stop.signal.aborted) timer = setTimeout(next, pause_ms)
  }
  const next = () => {
    sweeping = once()
  }
  next()
  return () => {
    stop.abort()
    clearTimeout(timer)
    return sweeping
  }
}
