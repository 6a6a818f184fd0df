import { OpenAPIHono } from '@hono/zod-openapi'
import { platformChecks } from '@svc/contract'
import * as verbs from '@svc/operator'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'

export function platformCheckRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(platformChecks.startChecks, async (c) =>
    c.json(await verbs.startChecks(c.var.ctx, c.req.valid('json')), 202),
  )
  app.openapi(platformChecks.getChecks, async (c) =>
    c.json(wire(await verbs.getChecks(c.var.ctx, c.req.valid('param'))), 200),
  )
  return app
}
