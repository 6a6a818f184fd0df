import type { notifications } from '@svc/contract'
import type { z } from 'zod'
import type { BodyOf, QueryOf } from './http/route.ts'

/** A thing that a person was told. */
export type Notification = z.output<typeof notifications.Notification>
export type Notifications = z.output<typeof notifications.Notifications>
export type NotificationsQuery = QueryOf<typeof notifications.listNotifications>
export type ReadNotificationsInput = BodyOf<typeof notifications.readNotifications>
export type NotificationSettings = z.output<typeof notifications.NotificationSettings>
export type UpdateNotificationSettingsInput = BodyOf<typeof notifications.updateNotificationSettings>
export type ProjectWatch = z.output<typeof notifications.ProjectWatch>
export type WatchLevel = ProjectWatch['level']
export type PushSubscription = z.output<typeof notifications.PushSubscription>
export type SubscribeToPushInput = BodyOf<typeof notifications.subscribeToPush>
