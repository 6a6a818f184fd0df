import { OpenAPIHono } from '@hono/zod-openapi'
import { harnesses, sessionRuntime } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

export function harnessRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(harnesses.listHarnesses, async (c) => c.json(wire(await verbs.listHarnesses(c.var.ctx)), 200))
  app.openapi(harnesses.getHarness, async (c) =>
    c.json(wire(await verbs.getHarness(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(harnesses.listProjectHarnesses, async (c) =>
    c.json(wire(await verbs.listProjectHarnesses(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(sessionRuntime.getSessionRuntime, async (c) =>
    c.json(wire(await verbs.getSessionRuntime(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(sessionRuntime.setSessionRuntime, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(wire(await verbs.setSessionRuntime(c.var.ctx, input)), 200)
  })
  return app
}
