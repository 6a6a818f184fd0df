import { OpenAPIHono } from '@hono/zod-openapi'
import * as verbs from '@svc/context'
import { features } from '@svc/contract'
import type { AppEnv } from '../parts.ts'

export function featureRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(features.listFeatures, async (c) =>
    c.json(await verbs.listFeatures(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(features.setFeatures, async (c) => {
    const { project_id } = c.req.valid('param')
    return c.json(await verbs.setFeatures(c.var.ctx, { project_id, features: c.req.valid('json') }), 200)
  })
  return app
}
