import { OpenAPIHono } from '@hono/zod-openapi'
import { platformBackups } from '@svc/contract'
import * as verbs from '@svc/operator'
import type { ApiParts, AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'

export function platformBackupRoutes({ backup_target }: Pick<ApiParts, 'backup_target'>) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(platformBackups.listBackups, async (c) =>
    c.json(wire(await verbs.listBackups(c.var.ctx, c.req.valid('query'))), 200),
  )
  app.openapi(platformBackups.startBackup, async (c) =>
    c.json(await verbs.startBackup(c.var.ctx, backup_target ?? null), 202),
  )
  return app
}
