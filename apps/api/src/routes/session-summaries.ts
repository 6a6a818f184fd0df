import { OpenAPIHono } from '@hono/zod-openapi'
import { sessionSummaries } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

export function sessionSummaryRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(sessionSummaries.listSessionSummaries, async (c) => {
    const { mine, ...query } = c.req.valid('query')
    const input = { ...query, ...c.req.valid('param'), mine: mine === 'true' }
    return c.json(await verbs.listSessionSummaries(c.var.ctx, input), 200)
  })
  app.openapi(sessionSummaries.getSessionDiff, async (c) =>
    c.json(
      wire(await verbs.getSessionDiff(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') })),
      200,
    ),
  )
  return app
}
