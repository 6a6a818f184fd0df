import { OpenAPIHono } from '@hono/zod-openapi'
import * as verbs from '@svc/context'
import { audit } from '@svc/contract'
import { stream } from 'hono/streaming'
import type { AppEnv } from '../parts.ts'

export function auditRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(audit.listAudit, async (c) =>
    c.json(await verbs.listAudit(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }), 200),
  )
  app.openapi(audit.exportAudit, async (c) => {
    const events = await verbs.exportAudit(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') })
    c.header('Content-Type', 'application/x-ndjson')
    return stream(c, async (lines) => {
      for await (const event of events) {
        if (lines.aborted) return
        await lines.write(`${JSON.stringify(event)}\n`)
      }
    })
  })
  app.openapi(audit.verifyAudit, async (c) =>
    c.json(await verbs.verifyAudit(c.var.ctx, c.req.valid('param')), 200),
  )
  return app
}
