import { OpenAPIHono } from '@hono/zod-openapi'
import { oauth } from '@svc/contract'
import * as verbs from '@svc/identity'
import type { AppEnv } from '../parts.ts'
import { oauthPaths } from '../oauth/paths.ts'

/** The routes that the protocol has beside the authorization server itself. */
export function oauthRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(oauth.getUserinfo, async (c) => c.json(await verbs.getUserinfo(c.var.ctx), 200))
  app.openapi(oauth.listOAuthApps, async (c) => c.json(await verbs.listOAuthApps(c.var.ctx), 200))
  app.openapi(oauth.revokeOAuthApp, async (c) => {
    await verbs.revokeOAuthApp(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  // RFC 7009: whatever the token was, it is ended when this answers.
  app.post(oauthPaths.revoke, async (c) => {
    const { token, client_id } = await c.req.parseBody()
    if (typeof token !== 'string' || token === '')
      return c.json({ error: 'invalid_request', error_description: 'Give the token in a form' }, 400)
    const client = typeof client_id === 'string' && client_id !== '' ? client_id : undefined
    await verbs.revokeOAuthToken(c.var.ctx, { token, client_id: client })
    return c.body(null, 200)
  })
  return app
}
