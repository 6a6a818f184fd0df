import { type SandboxContext, sweepRunning } from '@svc/services'

const lookMs = 5_000

/** Looks after the sandboxes that should run for as long as this process lives: only a worker can ask their provider. */
export function lookAtRunning(context: () => SandboxContext): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  const look = async () => {
    const ctx = context()
    await sweepRunning(ctx).catch((err: unknown) => {
      if (!stopped) ctx.log.warn({ err }, 'The sandboxes that should run were not looked at')
    })
    if (!stopped) timer = setTimeout(next, lookMs)
  }
  const next = () => {
    looking = look()
  }
  next()
  return () => {
    stopped = true
    clearTimeout(timer)
    return looking
  }
}
