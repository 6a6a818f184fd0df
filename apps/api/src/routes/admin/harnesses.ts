import { OpenAPIHono } from '@hono/zod-openapi'
import { platformHarnesses } from '@svc/contract'
import * as verbs from '@svc/operator'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'

/** The operator’s licences and installs of harnesses. */
export function platformHarnessRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(platformHarnesses.getHarnessLicence, async (c) =>
    c.json(wire(await verbs.getHarnessLicence(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(platformHarnesses.acceptHarnessLicence, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(wire(await verbs.acceptHarnessLicence(c.var.ctx, input)), 200)
  })
  app.openapi(platformHarnesses.revokeHarnessLicence, async (c) => {
    await verbs.revokeHarnessLicence(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(platformHarnesses.installHarness, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(wire(await verbs.installHarness(c.var.ctx, input)), 202)
  })
  app.openapi(platformHarnesses.removeHarness, async (c) => {
    await verbs.removeHarness(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  return app
}
