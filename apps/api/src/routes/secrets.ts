import { OpenAPIHono } from '@hono/zod-openapi'
import { secrets } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'

export function secretRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(secrets.listSecrets, async (c) =>
    c.json(await verbs.listSecrets(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(secrets.createSecret, async (c) =>
    c.json(await verbs.putSecret(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 201),
  )
  app.openapi(secrets.putSecret, async (c) =>
    c.json(await verbs.putSecret(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(secrets.deleteSecret, async (c) => {
    await verbs.deleteSecret(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(secrets.listPersonalSecrets, async (c) =>
    c.json(await verbs.listPersonalSecrets(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(secrets.putPersonalSecret, async (c) =>
    c.json(
      await verbs.putPersonalSecret(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(secrets.deletePersonalSecret, async (c) => {
    await verbs.deletePersonalSecret(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(secrets.listSecretAccesses, async (c) =>
    c.json(
      await verbs.listSecretAccesses(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }),
      200,
    ),
  )
  return app
}
