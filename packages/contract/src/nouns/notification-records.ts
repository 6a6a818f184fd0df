import { z } from '@hono/zod-openapi'
import { notificationKinds, notificationWays, watchLevels } from '@svc/facts'
import { Timestamp } from '../kit/common.ts'

export const WatchLevel = z.enum(watchLevels)

export const Notification = z
  .object({
    notification_id: z.uuid(),
    account_id: z.uuid(),
    project_id: z.uuid().nullable(),
    session_id: z.uuid().nullable(),
    kind: z.enum(notificationKinds),
    event_id: z.string().openapi({ description: 'The event that it tells' }),
    title: z.string().openapi({ description: 'The thing, such as the session or the change request' }),
    text: z.string().openapi({ description: 'What is told of it, in at most 200 characters' }),
    url: z.url().openapi({ description: 'The page of the dashboard about it' }),
    path: z.string().openapi({ description: 'The same, as an address below `/dashboard`' }),
    created_at: Timestamp,
    read_at: Timestamp.nullable(),
  })
  .openapi('Notification')

export const Notifications = z
  .object({
    notifications: z.array(Notification),
    unread_count: z.int().nonnegative().openapi({ description: 'Of all, whatever the page holds' }),
    next_cursor: z.string().nullable(),
  })
  .openapi('Notifications')

const ways = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(notificationWays.map((way) => [way, schema])) as Record<
    (typeof notificationWays)[number],
    S
  >
const kinds = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(notificationKinds.map((kind) => [kind, schema])) as Record<
    (typeof notificationKinds)[number],
    S
  >

export const NotificationSettings = z
  .object({ kinds: z.object(kinds(z.object(ways(z.boolean())))) })
  .openapi('NotificationSettings')

export const NotificationSettingsPatch = z.strictObject({
  kinds: z
    .strictObject(kinds(z.strictObject(ways(z.boolean().optional())).optional()))
    .openapi({ description: 'The kinds and ways that change; the others stay' }),
})

export const ProjectWatch = z.object({ project_id: z.uuid(), level: WatchLevel }).openapi('ProjectWatch')

export const PushSubscription = z
  .object({ subscription_id: z.uuid(), endpoint: z.string(), created_at: Timestamp })
  .openapi('PushSubscription')
