import { OpenAPIHono } from '@hono/zod-openapi'
import * as verbs from '@svc/apps'
import { appPreviews, appReleases } from '@svc/contract'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'

/** Releases of apps, the moves between them, and previews of change requests. */
export function appReleaseRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(appReleases.listAppReleases, async (c) =>
    c.json(
      wire(await verbs.listAppReleases(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') })),
      200,
    ),
  )
  app.openapi(appReleases.releaseApp, async (c) => {
    const idempotency_key = c.req.valid('header')['idempotency-key']
    const input = { ...c.req.valid('json'), ...c.req.valid('param'), idempotency_key }
    return c.json(wire(await verbs.releaseApp(c.var.ctx, input)), 202)
  })
  app.openapi(appReleases.getAppRelease, async (c) =>
    c.json(wire(await verbs.getAppRelease(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(appReleases.cancelAppRelease, async (c) =>
    c.json(wire(await verbs.cancelAppRelease(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(appReleases.rollbackApp, async (c) =>
    c.json(
      wire(await verbs.rollbackApp(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') })),
      202,
    ),
  )
  app.openapi(appReleases.listAppRollouts, async (c) =>
    c.json(
      wire(await verbs.listAppRollouts(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') })),
      200,
    ),
  )
  app.openapi(appPreviews.listChangeRequestApps, async (c) =>
    c.json(wire(await verbs.listChangeRequestApps(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(appPreviews.removeAppPreview, async (c) => {
    await verbs.removeAppPreview(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  return app
}
