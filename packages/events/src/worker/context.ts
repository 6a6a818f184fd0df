import type { JobContext } from '@svc/context'
import type { Dispatcher } from 'undici'

/** The parts of the process that deliveries need. */
export interface EventWorkerContext extends Pick<
  JobContext,
  'db' | 'enqueue' | 'vault' | 'log' | 'metrics' | 'now' | 'newId' | 'signal'
> {
  /** Connections to addresses that people named, each checked when it is opened. */
  readonly wire: Dispatcher
  readonly event_settings: EventSettings
}

export interface EventSettings {
  readonly retry_seconds: readonly number[]
  readonly disable_after: number
  readonly keep_days: number
}
