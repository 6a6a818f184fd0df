import { OpenAPIHono } from '@hono/zod-openapi'
import { projects } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'

export function projectRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(projects.listProjects, async (c) => c.json(await verbs.listProjects(c.var.ctx), 200))
  app.openapi(projects.provisionProject, async (c) =>
    c.json(await verbs.provisionProject(c.var.ctx, c.req.valid('json')), 201),
  )
  app.openapi(projects.connectProject, async (c) =>
    c.json(await verbs.connectProject(c.var.ctx, c.req.valid('json')), 201),
  )
  app.openapi(projects.getProject, async (c) =>
    c.json(await verbs.getProject(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(projects.updateProject, async (c) =>
    c.json(await verbs.updateProject(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(projects.archiveProject, async (c) => {
    await verbs.archiveProject(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  return app
}
