import { OpenAPIHono } from '@hono/zod-openapi'
import { notifications } from '@svc/contract'
import * as verbs from '@svc/notifications'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'
import { unsubscribePage } from './unsubscribe-page.ts'

export function notificationRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(notifications.listNotifications, async (c) => {
    const { unread, ...page } = c.req.valid('query')
    return c.json(wire(await verbs.listNotifications(c.var.ctx, { ...page, unread: unread === 'true' })), 200)
  })
  app.openapi(notifications.readNotifications, async (c) =>
    c.json(await verbs.readNotifications(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(notifications.getNotificationSettings, async (c) =>
    c.json(await verbs.getNotificationSettings(c.var.ctx), 200),
  )
  app.openapi(notifications.updateNotificationSettings, async (c) =>
    c.json(await verbs.updateNotificationSettings(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(notifications.getPushKey, async (c) => c.json(await verbs.getPushKey(c.var.ctx), 200))
  app.openapi(notifications.subscribeToPush, async (c) =>
    c.json(wire(await verbs.subscribeToPush(c.var.ctx, c.req.valid('json'))), 201),
  )
  app.openapi(notifications.unsubscribeFromPush, async (c) => {
    await verbs.unsubscribeFromPush(c.var.ctx, c.req.valid('json'))
    return c.body(null, 204)
  })
  app.openapi(notifications.showUnsubscribe, (c) => unsubscribePage(c, 'ask'))
  app.openapi(notifications.unsubscribeFromMail, async (c) => {
    await verbs.unsubscribeFromMail(c.var.ctx, c.req.valid('query'))
    return unsubscribePage(c, 'done')
  })
  app.openapi(notifications.getProjectWatch, async (c) =>
    c.json(await verbs.getProjectWatch(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(notifications.watchProject, async (c) =>
    c.json(await verbs.watchProject(c.var.ctx, { ...c.req.valid('param'), ...c.req.valid('json') }), 200),
  )
  app.openapi(notifications.announcePresence, async (c) => {
    await verbs.announcePresence(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  return app
}
