import type { JobContext } from '@svc/context'
import type { Db, PlatformEventRow, SubscriptionRow } from '@svc/db'
import type { Dispatcher } from 'undici'

/** The parts of the process that deliveries need. */
export interface EventWorkerContext extends Pick<
  JobContext,
  'db' | 'settings' | 'enqueue' | 'vault' | 'log' | 'metrics' | 'now' | 'newId' | 'signal'
> {
  /** Connections to addresses that people named, each checked when it is opened. */
  readonly wire: Dispatcher
  readonly event_settings: EventSettings
  readonly people: People
}

/** Those who are told of events beside subscriptions, each in the transaction of what is told. */
export interface People {
  notify(tx: Db, events: readonly PlatformEventRow[]): Promise<void>
  /** The platform disabled a subscription: the events of that place go there no more. */
  notifyDisabled(
    tx: Db,
    disabled: {
      readonly subscription: SubscriptionRow
      readonly reason: 'gone' | 'too_many_failures'
      readonly at: Date
    },
  ): Promise<void>
}

export interface EventSettings {
  readonly retry_seconds: readonly number[]
  readonly disable_after: number
  readonly keep_days: number
}
