import type { JobContext } from '@svc/context'
import type { MailTransport } from '@svc/mail'
import type { Dispatcher } from 'undici'

/** The parts of the process that notifications need. */
export interface NotificationWorkerContext extends Pick<
  JobContext,
  'db' | 'vault' | 'settings' | 'log' | 'metrics' | 'now' | 'newId' | 'signal'
> {
  /** Connections to addresses that people named, each checked when it is opened. */
  readonly wire: Dispatcher
  /** Absent where no mail is sent. */
  readonly mail?: MailTransport | undefined
  readonly notification_settings: NotificationWorkerSettings
}

export interface NotificationWorkerSettings {
  readonly keep_days: number
  readonly digest_after_seconds: number
  readonly digest_every_seconds: number
}
