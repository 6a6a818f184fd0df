import { OpenAPIHono } from '@hono/zod-openapi'
import { jobFailures } from '@svc/contract'
import * as verbs from '@svc/operator'
import type { AppEnv } from '../../parts.ts'

export function failureRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(jobFailures.listFailures, async (c) =>
    c.json(await verbs.listFailures(c.var.ctx, c.req.valid('query')), 200),
  )
  app.openapi(jobFailures.retryFailure, async (c) =>
    c.json(await verbs.retryFailure(c.var.ctx, c.req.valid('param')), 202),
  )
  return app
}
