import { type Platform, sweepIdleSandboxes, sweepOwedWork } from '@svc/services'

export interface Scheduler {
  close(): Promise<void>
}

const sweepMs = 5_000
const idleMs = 15_000

/** The clock of the platform. Any number may run: a sweep only repeats what rows say is owed. */
export function startScheduler({ ctx }: Pick<Platform, 'ctx'>): Scheduler {
  const loops = [
    every(
      sweepMs,
      () => sweepOwedWork(ctx),
      (err) => ctx.log.error({ err }, 'The sweep for owed work failed'),
    ),
    every(
      idleMs,
      () => sweepIdleSandboxes(ctx),
      (err) => ctx.log.error({ err }, 'The sweep for idle sandboxes failed'),
    ),
  ]
  return {
    close: async () => {
      await Promise.all(loops.map((stop) => stop()))
    },
  }
}

/** Runs at once and then after each pause; never twice at a time. Returns what stops it and waits for the last run. */
function every(
  ms: number,
  work: () => Promise<unknown>,
  on_error: (error: unknown) => void,
): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> = Promise.resolve()
  const run = () => {
    current = work()
      .then(() => undefined, on_error)
      .then(() => {
        if (!stopped) timer = setTimeout(run, ms)
      })
  }
  run()
  return () => {
    stopped = true
    clearTimeout(timer)
    return current
  }
}
