import { OpenAPIHono } from '@hono/zod-openapi'
import { browserSessions } from '@svc/contract'
import * as verbs from '@svc/identity'
import { deleteCookie, setCookie } from 'hono/cookie'
import type { AppEnv } from '../parts.ts'
import { browserCookie } from '../sign-in/browser-cookie.ts'

export function browserSessionRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(browserSessions.openBrowserSession, async (c) => {
    const { ctx } = c.var
    const keep = c.req.valid('json').keep ?? false
    const user_agent = c.req.header('User-Agent') ?? null
    const { cookie, max_age_seconds, session } = await verbs.openBrowserSession(ctx, { keep, user_agent })
    const { name, options } = browserCookie(ctx.settings)
    setCookie(c, name, cookie, { ...options, maxAge: max_age_seconds })
    return c.json(session, 201)
  })
  app.openapi(browserSessions.listBrowserSessions, async (c) =>
    c.json(await verbs.listBrowserSessions(c.var.ctx), 200),
  )
  app.openapi(browserSessions.endBrowserSession, async (c) => {
    await verbs.endBrowserSession(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(browserSessions.endOwnBrowserSession, async (c) => {
    const { ctx } = c.var
    await verbs.endOwnBrowserSession(ctx)
    const { name, options } = browserCookie(ctx.settings)
    deleteCookie(c, name, options)
    return c.body(null, 204)
  })
  return app
}
