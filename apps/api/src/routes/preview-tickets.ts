import { OpenAPIHono } from '@hono/zod-openapi'
import { previewTickets } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'

export function previewTicketRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(previewTickets.createPreviewTicket, async (c) => {
    const input = { ...c.req.valid('param'), ...c.req.valid('json'), credential: c.var.credential }
    return c.json(await verbs.createPreviewTicket(c.var.ctx, input), 201)
  })
  return app
}
