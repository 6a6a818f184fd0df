import type { Platform } from '@svc/platform'

export interface RunningAppWorker {
  /** Waits for the work that runs, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

/** Builds, starts, moves and ends the apps of projects. */
export function startAppWorker(_platform: Platform, _env: object): RunningAppWorker {
  return { close: async () => {} }
}
