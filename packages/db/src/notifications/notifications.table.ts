import type { NotificationKind, NotificationWay, WatchLevel } from '@svc/facts'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'

/** A thing that one person is told. */
export interface NotificationTable {
  notification_id: string
  user_id: string
  account_id: string
  project_id: string | null
  session_id: string | null
  kind: NotificationKind
  /** The event that it tells, which may be forgotten before it. */
  event_id: string
  /** The ask or the call that it is about: it is read with its end. */
  subject: string | null
  title: string
  text: string
  /** A page of the dashboard. */
  path: string
  /** Shown in the list; false where the person wants it on other ways alone. */
  in_app: boolean
  created_at: Date
  read_at: Date | null
  mailed_at: Date | null
  /** The mail that takes it along. */
  digest_id: string | null
  /** Set while it is owed to the person's browsers: when it is sent, or sent again. */
  push_at: Date | null
  /** The order in which they were written. */
  position: GeneratedAlways<number>
}

/** A setting of a person that is not as it is by default. */
export interface NotificationSettingTable {
  user_id: string
  kind: NotificationKind
  way: NotificationWay
  is_on: boolean
}

export interface ProjectWatchTable {
  user_id: string
  project_id: string
  level: WatchLevel
}

/** The person who wrote the entry of a trigger last, by the platform; written by a trigger of the database. */
export interface TriggerWriterTable {
  project_id: string
  slug: string
  user_id: string
}

/** A visible page that shows a session says so until then. */
export interface SessionPresenceTable {
  user_id: string
  session_id: string
  until: Date
}

/** A mail with notifications of one person, under one `Message-ID` however often it is sent. */
export interface NotificationDigestTable {
  digest_id: string
  user_id: string
  created_at: Date
  attempts: Generated<number>
  /** When it is tried next; null once it was sent or given up. */
  next_at: Date | null
  sent_at: Date | null
  error: string | null
}

/** A browser of a person, as the Push API describes it. */
export interface PushSubscriptionTable {
  subscription_id: string
  user_id: string
  endpoint: string
  p256dh: string
  auth: string
  /** In a row. */
  failures: Generated<number>
  created_at: Date
}

/** The keys of the deployment: those that browsers know it by, and the one that signs links in mails. */
export interface NotificationKeyTable {
  singleton: Generated<boolean>
  sealed_key: string
  sealed_value: string
  created_at: Date
}

/** The tables, as the database has them. */
export interface NotificationTables {
  notifications: NotificationTable
  notification_settings: NotificationSettingTable
  notification_digests: NotificationDigestTable
  notification_keys: NotificationKeyTable
  project_watches: ProjectWatchTable
  trigger_writers: TriggerWriterTable
  session_presence: SessionPresenceTable
  push_subscriptions: PushSubscriptionTable
}

export type NotificationRow = Selectable<NotificationTable>
export type NotificationDigestRow = Selectable<NotificationDigestTable>
export type PushSubscriptionRow = Selectable<PushSubscriptionTable>
export type NotificationKeyRow = Selectable<NotificationKeyTable>
