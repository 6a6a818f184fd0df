import { OpenAPIHono } from '@hono/zod-openapi'
import { platformAudit } from '@svc/contract'
import * as verbs from '@svc/operator'
import type { AppEnv } from '../../parts.ts'

export function platformAuditRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(platformAudit.listPlatformAudit, async (c) =>
    c.json(await verbs.listPlatformAudit(c.var.ctx, c.req.valid('query')), 200),
  )
  return app
}
