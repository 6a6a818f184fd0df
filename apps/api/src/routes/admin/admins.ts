import { OpenAPIHono } from '@hono/zod-openapi'
import { platformAdmins } from '@svc/contract'
import * as verbs from '@svc/operator'
import type { AppEnv } from '../../parts.ts'

export function platformAdminRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(platformAdmins.listPlatformAdmins, async (c) =>
    c.json(await verbs.listPlatformAdmins(c.var.ctx), 200),
  )
  app.openapi(platformAdmins.addPlatformAdmin, async (c) => {
    const { admin, created } = await verbs.addPlatformAdmin(c.var.ctx, c.req.valid('json'))
    return c.json(admin, created ? 201 : 200)
  })
  app.openapi(platformAdmins.setPlatformAdmin, async (c) =>
    c.json(await verbs.setPlatformAdmin(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(platformAdmins.removePlatformAdmin, async (c) => {
    await verbs.removePlatformAdmin(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  return app
}
