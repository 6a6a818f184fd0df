import { OpenAPIHono } from '@hono/zod-openapi'
import { sessionPrompts } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

export function sessionPromptRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(sessionPrompts.promptSession, async (c) => {
    const idempotency_key = c.req.valid('header')['idempotency-key']
    const input = { ...c.req.valid('json'), ...c.req.valid('param'), idempotency_key }
    return c.json(await verbs.promptSession(c.var.ctx, input), 202)
  })
  app.openapi(sessionPrompts.listPrompts, async (c) =>
    c.json(
      wire(await verbs.listPrompts(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') })),
      200,
    ),
  )
  app.openapi(sessionPrompts.cancelPrompt, async (c) =>
    c.json(wire(await verbs.cancelPrompt(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(sessionPrompts.answerAsk, async (c) =>
    c.json(await verbs.answerAsk(c.var.ctx, { ...c.req.valid('param'), answer: c.req.valid('json') }), 200),
  )
  return app
}
