import { OpenAPIHono } from '@hono/zod-openapi'
import { files } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

export function fileRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(files.listFiles, async (c) =>
    c.json(await verbs.listFiles(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }), 200),
  )
  app.openapi(files.readFile, async (c) =>
    c.json(await verbs.readFile(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }), 200),
  )
  app.openapi(files.listCommits, async (c) =>
    c.json(await verbs.listCommits(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') }), 200),
  )
  app.openapi(files.getCommit, async (c) =>
    c.json(wire(await verbs.getCommit(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(files.compareBranches, async (c) =>
    c.json(
      wire(await verbs.compareBranches(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') })),
      200,
    ),
  )
  app.openapi(files.getManifest, async (c) =>
    c.json(
      wire(await verbs.getManifest(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') })),
      200,
    ),
  )
  app.openapi(files.listBranches, async (c) =>
    c.json(await verbs.listBranches(c.var.ctx, c.req.valid('param')), 200),
  )
  return app
}
