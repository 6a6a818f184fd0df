import { OpenAPIHono } from '@hono/zod-openapi'
import { etagOf, matchesEtag } from '@svc/context'
import { inbox } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

export function inboxRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(inbox.getInbox, async (c) =>
    c.json(wire(await verbs.getInbox(c.var.ctx, c.req.valid('query'))), 200),
  )
  app.openapi(inbox.countInbox, async (c) => {
    const { as_of, ...counts } = await verbs.countInbox(c.var.ctx)
    const etag = etagOf(counts)
    c.header('ETag', etag)
    c.header('Cache-Control', 'private, no-cache')
    if (matchesEtag(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
    return c.json({ ...counts, as_of }, 200)
  })
  app.openapi(inbox.actOnInbox, async (c) =>
    c.json(await verbs.actOnInbox(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(inbox.markInboxItem, async (c) => {
    await verbs.markInboxItem(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') })
    return c.body(null, 204)
  })
  return app
}
