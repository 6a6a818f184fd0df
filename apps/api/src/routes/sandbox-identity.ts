import { OpenAPIHono } from '@hono/zod-openapi'
import { sandboxIdentity } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'

export function sandboxIdentityRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(sandboxIdentity.getCloneCredential, async (c) =>
    c.json(await verbs.getCloneCredential(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(sandboxIdentity.getSessionHistory, async (c) =>
    c.json(await verbs.getSessionHistory(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(sandboxIdentity.reportTurnStream, async (c) =>
    c.json(await verbs.reportTurnStream(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(sandboxIdentity.reportTurnQuestion, async (c) =>
    c.json(
      await verbs.reportTurnQuestion(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(sandboxIdentity.reportTurnPermission, async (c) =>
    c.json(
      await verbs.reportTurnPermission(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }),
      200,
    ),
  )
  return app
}
