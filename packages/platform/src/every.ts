import type { Outages } from '@svc/boot'
import { pauseAfterFailures } from '@svc/timing'

export interface Repeated {
  /** The pause; a function is asked after each run. */
  readonly ms: number | (() => number)
  readonly work: () => Promise<unknown>
  readonly outages: Outages
  readonly name: string
}

export interface Repeating {
  /** Waits for the last run. */
  stop(): Promise<void>
  /** Ends the pause after a failure. */
  retry(): void
}

/** Runs work at once and then after each pause, which grows while it fails; never twice at a time. */
export function every({ ms, work, outages, name }: Repeated): Repeating {
  let stopped = false
  let timer: NodeJS.Timeout | null = null
  let failures = 0
  let current: Promise<void> = Promise.resolve()
  const run = () => {
    timer = null
    current = work()
      .then(
        () => {
          failures = 0
          outages.worked(name)
        },
        (error: unknown) => {
          failures += 1
          outages.failed(name, error)
        },
      )
      .then(() => {
        if (stopped) return
        const pause = typeof ms === 'number' ? ms : ms()
        timer = setTimeout(run, failures === 0 ? pause : pauseAfterFailures(failures))
      })
  }
  run()
  return {
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      return current
    },
    retry() {
      if (failures === 0 || timer === null) return
      clearTimeout(timer)
      run()
    },
  }
}
