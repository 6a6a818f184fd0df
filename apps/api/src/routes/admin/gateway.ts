import { OpenAPIHono } from '@hono/zod-openapi'
import { platformGateway } from '@svc/contract'
import * as verbs from '@svc/spend'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'

const place = { scope: 'operator' } as const

/** The operator’s decisions about the models of all calls. */
export function platformGatewayRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(platformGateway.getPlatformGatewaySettings, async (c) =>
    c.json(wire(await verbs.getGatewaySettings(c.var.ctx, place)), 200),
  )
  app.openapi(platformGateway.updatePlatformGatewaySettings, async (c) =>
    c.json(wire(await verbs.updateGatewaySettings(c.var.ctx, place, c.req.valid('json'))), 200),
  )
  app.openapi(platformGateway.listPlatformGatewayProviders, async (c) =>
    c.json(wire(await verbs.listProviders(c.var.ctx, place)), 200),
  )
  app.openapi(platformGateway.createPlatformGatewayProvider, async (c) =>
    c.json(wire(await verbs.createProvider(c.var.ctx, place, c.req.valid('json'))), 201),
  )
  app.openapi(platformGateway.updatePlatformGatewayProvider, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(wire(await verbs.updateProvider(c.var.ctx, place, input)), 200)
  })
  app.openapi(platformGateway.deletePlatformGatewayProvider, async (c) => {
    await verbs.removeProvider(c.var.ctx, place, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(platformGateway.testPlatformGatewayProvider, async (c) =>
    c.json(await verbs.testProvider(c.var.ctx, place, c.req.valid('param')), 200),
  )
  app.openapi(platformGateway.addPlatformGatewayProviderKey, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(wire(await verbs.addProviderKey(c.var.ctx, place, input)), 201)
  })
  app.openapi(platformGateway.removePlatformGatewayProviderKey, async (c) => {
    await verbs.removeProviderKey(c.var.ctx, place, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(platformGateway.listPlatformGatewayPrices, async (c) =>
    c.json(wire(await verbs.listPrices(c.var.ctx, place)), 200),
  )
  app.openapi(platformGateway.setPlatformGatewayPrice, async (c) =>
    c.json(wire(await verbs.setPrice(c.var.ctx, place, c.req.valid('json'))), 200),
  )
  app.openapi(platformGateway.removePlatformGatewayPrice, async (c) => {
    await verbs.removePrice(c.var.ctx, place, c.req.valid('query'))
    return c.body(null, 204)
  })
  return app
}
