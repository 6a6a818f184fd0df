import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, ProjectParams, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ProjectId, SessionId } from '../kit/parameters.ts'
import {
  Notification,
  Notifications,
  NotificationSettings,
  NotificationSettingsPatch,
  ProjectWatch,
  PushSubscription,
  WatchLevel,
} from './notification-records.ts'

export { Notification, Notifications, NotificationSettings, ProjectWatch, PushSubscription }

const common = { tags: ['Notifications'] }
const mine = { ...common, ...reachedBy({ any_person: true }) }
const base = '/v1/notifications'

export const listNotifications = createRoute({
  ...mine,
  operationId: 'listNotifications',
  summary: 'List what you were told, the newest first',
  description:
    'A notification says that something happened; what waits for you stands in the inbox, and reading a notification takes nothing out of it. What you did yourself is not told to you.',
  method: 'get',
  path: base,
  request: {
    query: PageQuery.extend({
      unread: z
        .enum(['true', 'false'])
        .optional()
        .openapi({ description: '`true` for those alone that are unread' }),
    }),
  },
  responses: { 200: json(Notifications, 'One page'), ...refusals(400, 403) },
})

export const readNotifications = createRoute({
  ...mine,
  operationId: 'readNotifications',
  summary: 'Mark notifications as read',
  description: 'Those of `ids`, those about a session, or all. What is read is neither mailed nor pushed.',
  method: 'post',
  path: `${base}/read`,
  request: {
    body: body(
      z
        .union(
          [
            z.strictObject({ ids: z.array(z.uuid()).min(1).max(1000) }),
            z.strictObject({ session_id: SessionId }),
            z.strictObject({ all: z.literal(true) }),
          ],
          'must be one of { ids } with 1 to 1,000 of them, { session_id } and { all: true }',
        )
        .openapi('ReadNotifications', { example: examples.readNotifications }),
    ),
  },
  responses: {
    200: json(z.object({ read: z.int().nonnegative() }), 'How many were unread'),
    ...refusals(400, 403, 415),
  },
})

export const getNotificationSettings = createRoute({
  ...mine,
  operationId: 'getNotificationSettings',
  summary: 'Read which kinds are told to you on which ways',
  description:
    'By default all are listed; all are mailed but `cr_opened` and `cr_merged`; `needs_me`, `session_failed` and `budget_alert` are pushed to browsers that asked for it.',
  method: 'get',
  path: `${base}/settings`,
  responses: { 200: json(NotificationSettings, 'The settings'), ...refusals(403) },
})

export const updateNotificationSettings = createRoute({
  ...mine,
  operationId: 'updateNotificationSettings',
  summary: 'Change which kinds are told to you on which ways',
  description:
    'What is not given stays as it is. `channel` is a direct message in a chat in which you are linked; without one, nothing comes there.',
  method: 'patch',
  path: `${base}/settings`,
  request: {
    body: body(
      NotificationSettingsPatch.openapi('UpdateNotificationSettings', {
        example: examples.updateNotificationSettings,
      }),
    ),
  },
  responses: { 200: json(NotificationSettings, 'The settings'), ...refusals(400, 403, 415) },
})

export const getPushKey = createRoute({
  ...mine,
  operationId: 'getPushKey',
  summary: 'Read the key that browsers subscribe with',
  description: 'The `applicationServerKey` of the Push API, in base64url (VAPID, RFC 8292).',
  method: 'get',
  path: `${base}/push-key`,
  responses: { 200: json(z.object({ public_key: z.string() }), 'The key'), ...refusals(403) },
})

const endpoint = text(2048).min(1).openapi({ description: 'The address that the browser gave' })

export const subscribeToPush = createRoute({
  ...mine,
  operationId: 'subscribeToPush',
  summary: 'Push notifications to this browser',
  description:
    'The body is what `PushSubscription.toJSON()` gives. At most 10 browsers a person. A browser whose push service answers 404 or 410, or fails five times in a row, is forgotten.',
  method: 'post',
  path: `${base}/push-subscriptions`,
  request: {
    body: body(
      z
        .strictObject({
          endpoint,
          keys: z.strictObject({ p256dh: text(128).min(1), auth: text(64).min(1) }),
          expirationTime: z.number().nullable().optional().openapi({
            description: 'As browsers send it; nothing reads it',
          }),
        })
        .openapi('SubscribeToPush', { example: examples.subscribeToPush }),
    ),
  },
  responses: { 201: json(PushSubscription, 'Subscribed'), ...refusals(400, 403, 409, 415) },
})

export const unsubscribeFromPush = createRoute({
  ...mine,
  operationId: 'unsubscribeFromPush',
  summary: 'Push to this browser no more',
  description: 'A browser that is not known is no error.',
  method: 'delete',
  path: `${base}/push-subscriptions`,
  request: {
    body: body(
      z.strictObject({ endpoint }).openapi('UnsubscribeFromPush', { example: examples.unsubscribeFromPush }),
    ),
  },
  responses: { 204: { description: 'It is not pushed to' }, ...refusals(400, 403, 415) },
})

const token = z.object({
  token: text(512).min(1).openapi({ description: 'As the link in the mail has it' }),
})

export const showUnsubscribe = createRoute({
  ...common,
  ...reachedBy({ public: true }),
  operationId: 'showUnsubscribe',
  summary: 'The page behind the link that ends mails',
  description: 'It changes nothing: programs that look into mails follow links.',
  method: 'get',
  path: `${base}/unsubscribe`,
  request: { query: token },
  responses: {
    200: { description: 'A page with a button', content: { 'text/html': { schema: z.string() } } },
    ...refusals(400),
  },
})

export const unsubscribeFromMail = createRoute({
  ...common,
  ...reachedBy({ public: true }),
  operationId: 'unsubscribeFromMail',
  summary: 'End the mails with notifications to the person of the link',
  description:
    'One click, without a sign-in (RFC 8058); the body is not looked at. Other ways, and mails with codes, stay as they are.',
  method: 'post',
  path: `${base}/unsubscribe`,
  request: { query: token },
  responses: {
    200: { description: 'Ended', content: { 'text/html': { schema: z.string() } } },
    ...refusals(400, 404),
  },
})

export const getProjectWatch = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.read' }),
  operationId: 'getProjectWatch',
  summary: 'Read how much of a project you are told',
  description: '`mine` until you set it.',
  method: 'get',
  path: '/v1/projects/{project_id}/watch',
  request: { params: ProjectParams },
  responses: { 200: json(ProjectWatch, 'The level'), ...refusals(400, 403, 404) },
})

export const watchProject = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.read' }),
  operationId: 'watchProject',
  summary: 'Set how much of a project you are told',
  description:
    '`mine` (the default): sessions that you started, what they ask, their change requests, triggers that you wrote last, and for managers also failed triggers, budgets and disabled subscriptions. `all`: everything of it that you may read. `none`: nothing.',
  method: 'put',
  path: '/v1/projects/{project_id}/watch',
  request: {
    params: ProjectParams,
    body: body(
      z.strictObject({ level: WatchLevel }).openapi('WatchProject', { example: examples.watchProject }),
    ),
  },
  responses: { 200: json(ProjectWatch, 'The level'), ...refusals(400, 403, 404, 415) },
})

export const announcePresence = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.session.read' }),
  operationId: 'announcePresence',
  summary: 'Say that a visible page shows you this session',
  description:
    'Holds for 45 seconds, in which nothing of the session is mailed or pushed to you; what you were told of it is read. A page says so every 20 seconds.',
  method: 'put',
  path: '/v1/projects/{project_id}/sessions/{session_id}/presence',
  request: { params: z.object({ project_id: ProjectId, session_id: SessionId }) },
  responses: { 204: { description: 'Noted' }, ...refusals(400, 403, 404) },
})
