import { OpenAPIHono } from '@hono/zod-openapi'
import { serviceAccounts } from '@svc/contract'
import * as verbs from '@svc/identity'
import type { AppEnv } from '../parts.ts'

export function serviceAccountRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(serviceAccounts.listServiceAccounts, async (c) =>
    c.json(await verbs.listServiceAccounts(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(serviceAccounts.createServiceAccount, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.createServiceAccount(c.var.ctx, input), 201)
  })
  app.openapi(serviceAccounts.deleteServiceAccount, async (c) => {
    await verbs.deleteServiceAccount(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(serviceAccounts.listServiceAccountKeys, async (c) =>
    c.json(await verbs.listServiceAccountKeys(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(serviceAccounts.createServiceAccountKey, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(await verbs.createServiceAccountKey(c.var.ctx, input), 201)
  })
  app.openapi(serviceAccounts.revokeServiceAccountKey, async (c) => {
    await verbs.revokeServiceAccountKey(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  return app
}
