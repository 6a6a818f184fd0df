import { OpenAPIHono } from '@hono/zod-openapi'
import { directory } from '@svc/contract'
import * as verbs from '@svc/identity'
import type { AppEnv } from '../parts.ts'

export function directoryRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(directory.listScimTokens, async (c) =>
    c.json(await verbs.listScimTokens(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(directory.createScimToken, async (c) =>
    c.json(await verbs.createScimToken(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 201),
  )
  app.openapi(directory.revokeScimToken, async (c) => {
    await verbs.revokeScimToken(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(directory.listGroups, async (c) =>
    c.json(await verbs.listGroups(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(directory.setGroupRoles, async (c) =>
    c.json(await verbs.setGroupRoles(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  return app
}
