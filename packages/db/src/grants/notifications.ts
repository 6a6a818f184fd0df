import type { NotificationTables } from '../notifications/notifications.table.ts'
import type { ServiceGrants } from './services.ts'

/** Rights on what people are told: the channel-worker tells it, the API shows it. */
export const notificationGrants: Readonly<Record<keyof NotificationTables, ServiceGrants>> = {
  notifications: { api: 'rw', channel: 'rawd' },
  notification_settings: { api: 'raw', channel: 'r' },
  notification_digests: { channel: 'rawd' },
  notification_keys: { api: 'ra', merge: 'r', channel: 'ra' },
  project_watches: { api: 'raw', channel: 'r' },
  trigger_writers: { channel: 'r' },
  session_presence: { api: 'raw', channel: 'rd' },
  push_subscriptions: { api: 'rawd', channel: 'rwd' },
}
