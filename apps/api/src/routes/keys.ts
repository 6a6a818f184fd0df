import { OpenAPIHono } from '@hono/zod-openapi'
import { gatewayKeys, keyRules } from '@svc/contract'
import * as verbs from '@svc/identity'
import type { AppEnv } from '../parts.ts'

export function keyRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(gatewayKeys.listGatewayKeys, async (c) =>
    c.json(await verbs.listGatewayKeys(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(gatewayKeys.createGatewayKey, async (c) =>
    c.json(await verbs.createGatewayKey(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 201),
  )
  app.openapi(gatewayKeys.updateGatewayKey, async (c) =>
    c.json(await verbs.updateGatewayKey(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(gatewayKeys.rotateGatewayKey, async (c) =>
    c.json(await verbs.rotateGatewayKey(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 201),
  )
  app.openapi(gatewayKeys.revokeGatewayKey, async (c) => {
    await verbs.revokeGatewayKey(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(keyRules.getKeyRules, async (c) =>
    c.json(await verbs.getKeyRules(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(keyRules.setKeyRules, async (c) =>
    c.json(await verbs.setKeyRules(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  return app
}
