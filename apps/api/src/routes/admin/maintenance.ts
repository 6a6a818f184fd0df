import { OpenAPIHono } from '@hono/zod-openapi'
import { platformMaintenance } from '@svc/contract'
import * as verbs from '@svc/operator'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'

export function platformMaintenanceRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(platformMaintenance.getMaintenance, async (c) =>
    c.json(wire(await verbs.getMaintenance(c.var.ctx)), 200),
  )
  app.openapi(platformMaintenance.setMaintenance, async (c) =>
    c.json(wire(await verbs.setMaintenance(c.var.ctx, c.req.valid('json'))), 200),
  )
  return app
}
