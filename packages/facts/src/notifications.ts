/** The kinds of things that a person is told of. */
export const notificationKinds = [
  'needs_me',
  'cr_opened',
  'cr_merged',
  'cr_failed',
  'session_failed',
  'trigger_failed',
  'budget_alert',
  'delivery_disabled',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** The ways on which they are told. */
export const notificationWays = ['in_app', 'email', 'push', 'channel'] as const
export type NotificationWay = (typeof notificationWays)[number]

export type NotificationSettings = Readonly<
  Record<NotificationKind, Readonly<Record<NotificationWay, boolean>>>
>

const quietByMail: ReadonlySet<NotificationKind> = new Set(['cr_opened', 'cr_merged'])
const pushed: ReadonlySet<NotificationKind> = new Set(['needs_me', 'session_failed', 'budget_alert'])

/** The settings of a person who changed none. */
export function defaultNotification(kind: NotificationKind, way: NotificationWay): boolean {
  switch (way) {
    case 'in_app':
      return true
    case 'email':
      return !quietByMail.has(kind)
    case 'push':
      return pushed.has(kind)
    case 'channel':
      return false
  }
}

/** The part of a project that a person is told of: all of it, their own (by default), or nothing. */
export const watchLevels = ['all', 'mine', 'none'] as const
export type WatchLevel = (typeof watchLevels)[number]
