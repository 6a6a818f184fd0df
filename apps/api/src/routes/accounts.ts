import { OpenAPIHono } from '@hono/zod-openapi'
import { accounts } from '@svc/contract'
import * as verbs from '@svc/identity'
import type { AppEnv } from '../parts.ts'

export function accountRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(accounts.getMe, async (c) => c.json(await verbs.getMe(c.var.ctx), 200))
  app.openapi(accounts.updateMe, async (c) =>
    c.json(await verbs.updateMe(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(accounts.updateAccount, async (c) =>
    c.json(await verbs.updateAccount(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(accounts.setBranding, async (c) =>
    c.json(await verbs.setBranding(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(accounts.listTokens, async (c) => c.json(await verbs.listTokens(c.var.ctx), 200))
  app.openapi(accounts.createToken, async (c) =>
    c.json(await verbs.createToken(c.var.ctx, c.req.valid('json')), 201),
  )
  app.openapi(accounts.revokeToken, async (c) => {
    await verbs.revokeToken(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(accounts.listProjectTokens, async (c) =>
    c.json(await verbs.listProjectTokens(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(accounts.createProjectToken, async (c) =>
    c.json(
      await verbs.createProjectToken(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }),
      201,
    ),
  )
  app.openapi(accounts.revokeProjectToken, async (c) => {
    await verbs.revokeProjectToken(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  return app
}
