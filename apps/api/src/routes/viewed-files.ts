import { OpenAPIHono } from '@hono/zod-openapi'
import { viewedFiles } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'

export function viewedFileRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(viewedFiles.getViewedFiles, async (c) => {
    const { project_id, cr_id: cr } = c.req.valid('param')
    return c.json(await verbs.getViewedFiles(c.var.ctx, { project_id, cr }), 200)
  })
  app.openapi(viewedFiles.setViewedFile, async (c) => {
    const { project_id, cr_id: cr } = c.req.valid('param')
    return c.json(await verbs.setViewedFile(c.var.ctx, { ...c.req.valid('json'), project_id, cr }), 200)
  })
  return app
}
