import type { BaseContext } from '@svc/context'
import type { FireContext } from '../run-fire.ts'

export interface MonitorSettings {
  /** The length of a second of the manifest; tests make it shorter. */
  readonly second_ms: number
  /** Time that a sandbox may hold its answer back while there is nothing to report. */
  readonly wait_ms: number
  /** A scheduler that gave no sign of life for so long has lost its projects to another. */
  readonly ttl_ms: number
  /** Projects that one scheduler looks after. */
  readonly max_projects: number
}

export const monitorSettings: MonitorSettings = {
  second_ms: 1_000,
  wait_ms: 10_000,
  ttl_ms: 15_000,
  max_projects: 200,
}

/** Fires, and what it takes to keep a sandbox and to speak to it. */
export type MonitorContext = FireContext & Pick<BaseContext, 'vault' | 'listener'>
