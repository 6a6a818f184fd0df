import { OpenAPIHono } from '@hono/zod-openapi'
import { operatedAccounts, platformFeatures } from '@svc/contract'
import * as verbs from '@svc/operator'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'

export function operatedAccountRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(operatedAccounts.listAllAccounts, async (c) =>
    c.json(wire(await verbs.listAllAccounts(c.var.ctx, c.req.valid('query'))), 200),
  )
  app.openapi(operatedAccounts.getOperatedAccount, async (c) =>
    c.json(wire(await verbs.getOperatedAccount(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(operatedAccounts.updateOperatedAccount, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(wire(await verbs.updateOperatedAccount(c.var.ctx, input)), 200)
  })
  app.openapi(operatedAccounts.setAccountFeatures, async (c) => {
    const input = { ...c.req.valid('param'), features: c.req.valid('json') }
    return c.json(wire(await verbs.setAccountFeatures(c.var.ctx, input)), 200)
  })
  return app
}

export function platformFeatureRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(platformFeatures.listPlatformFeatures, async (c) =>
    c.json(await verbs.listPlatformFeatures(c.var.ctx), 200),
  )
  app.openapi(platformFeatures.setPlatformFeatures, async (c) =>
    c.json(await verbs.setPlatformFeatures(c.var.ctx, { features: c.req.valid('json') }), 200),
  )
  return app
}
