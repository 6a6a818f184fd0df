import { OpenAPIHono } from '@hono/zod-openapi'
import { sessions } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'

/** RFC 7240: preferences are a comma-separated list. */
function prefersAsync(header: string | undefined): boolean {
  return (header ?? '').split(',').some((preference) => preference.trim().toLowerCase() === 'respond-async')
}

export function sessionRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(sessions.createSession, async (c) => {
    const { prefer, 'idempotency-key': key } = c.req.valid('header')
    const outcome = await verbs.createSession(c.var.ctx, {
      ...c.req.valid('param'),
      ...(key === undefined ? {} : { idempotency_key: key }),
      respond_async: prefersAsync(prefer),
      body: c.req.valid('json'),
    })
    if (outcome.kind === 'created') return c.json(outcome.session, 201)
    const { kind: _, ...queued } = outcome
    return c.json(queued, 202)
  })
  app.openapi(sessions.listSessions, async (c) => {
    const if_none_match = c.req.header('If-None-Match')
    const outcome = await verbs.listSessions(c.var.ctx, {
      ...c.req.valid('query'),
      ...c.req.valid('param'),
      ...(if_none_match === undefined ? {} : { if_none_match }),
    })
    c.header('ETag', outcome.etag)
    c.header('Cache-Control', 'private, no-cache')
    if (outcome.kind === 'unchanged') return c.body(null, 304)
    if (outcome.next_cursor !== null) c.header('X-Next-Cursor', outcome.next_cursor)
    return c.json(outcome.sessions, 200)
  })
  app.openapi(sessions.getSession, async (c) =>
    c.json(await verbs.getSession(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(sessions.updateSession, async (c) =>
    c.json(await verbs.updateSession(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(sessions.deleteSession, async (c) => {
    await verbs.deleteSession(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(sessions.stopSession, async (c) =>
    c.json(await verbs.stopSession(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(sessions.startSession, async (c) =>
    c.json(await verbs.startSession(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(sessions.restartSession, async (c) =>
    c.json(await verbs.restartSession(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(sessions.refreshSession, async (c) =>
    c.json(await verbs.refreshSession(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(sessions.abortSession, async (c) =>
    c.json(await verbs.abortSession(c.var.ctx, c.req.valid('param')), 200),
  )
  return app
}
