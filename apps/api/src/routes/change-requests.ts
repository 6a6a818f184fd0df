import { OpenAPIHono } from '@hono/zod-openapi'
import { etagOf, matchesEtag } from '@svc/context'
import { changeRequests } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

/** The path's `cr_id` may be the number within the project, so the verbs call it `cr`. */
const address = ({ project_id, cr_id }: { project_id: string; cr_id: string }) => ({ project_id, cr: cr_id })

export function changeRequestRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(changeRequests.listChangeRequests, async (c) =>
    c.json(
      await verbs.listChangeRequests(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }),
      200,
    ),
  )
  app.openapi(changeRequests.createChangeRequest, async (c) =>
    c.json(
      await verbs.createChangeRequest(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }),
      201,
    ),
  )
  app.openapi(changeRequests.getChangeRequest, async (c) => {
    const answer = await verbs.getChangeRequest(c.var.ctx, address(c.req.valid('param')))
    const etag = etagOf(answer)
    c.header('ETag', etag)
    c.header('Cache-Control', 'private, no-cache')
    if (matchesEtag(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
    return c.json(answer, 200)
  })
  app.openapi(changeRequests.updateChangeRequest, async (c) =>
    c.json(
      await verbs.updateChangeRequest(c.var.ctx, {
        ...c.req.valid('json'),
        ...address(c.req.valid('param')),
      }),
      200,
    ),
  )
  app.openapi(changeRequests.getChangeRequestDiff, async (c) =>
    c.json(
      wire(
        await verbs.getChangeRequestDiff(c.var.ctx, {
          ...c.req.valid('query'),
          ...address(c.req.valid('param')),
        }),
      ),
      200,
    ),
  )
  app.openapi(changeRequests.getMergePreview, async (c) =>
    c.json(wire(await verbs.getMergePreview(c.var.ctx, address(c.req.valid('param')))), 200),
  )
  app.openapi(changeRequests.mergeChangeRequest, async (c) =>
    c.json(
      await verbs.mergeChangeRequest(c.var.ctx, { ...c.req.valid('json'), ...address(c.req.valid('param')) }),
      200,
    ),
  )
  app.openapi(changeRequests.closeChangeRequest, async (c) =>
    c.json(await verbs.closeChangeRequest(c.var.ctx, address(c.req.valid('param'))), 200),
  )
  app.openapi(changeRequests.reopenChangeRequest, async (c) =>
    c.json(await verbs.reopenChangeRequest(c.var.ctx, address(c.req.valid('param'))), 200),
  )
  app.openapi(changeRequests.requestChanges, async (c) =>
    c.json(
      await verbs.requestChanges(c.var.ctx, { ...c.req.valid('json'), ...address(c.req.valid('param')) }),
      200,
    ),
  )
  return app
}
