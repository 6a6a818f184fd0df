import { OpenAPIHono } from '@hono/zod-openapi'
import { requirePlatformAdmin } from '@svc/context'
import { Hono } from 'hono'
import { adminDocument } from '../../docs/openapi.ts'
import { requestOrigin } from '../../docs/origin.ts'
import { refuseInvalid } from '../../middleware/validation.ts'
import type { ApiParts, AppEnv } from '../../parts.ts'
import { operatedAccountRoutes, platformFeatureRoutes } from './accounts.ts'
import { platformAdminRoutes } from './admins.ts'
import { platformAuditRoutes } from './audit.ts'
import { platformBackupRoutes } from './backups.ts'
import { platformCheckRoutes } from './checks.ts'
import { failureRoutes } from './failures.ts'
import { platformGatewayRoutes } from './gateway.ts'
import { platformHarnessRoutes } from './harnesses.ts'
import { platformMaintenanceRoutes } from './maintenance.ts'
import { overviewRoutes, owedWorkRoutes } from './operations.ts'
import { planRoutes } from './plans.ts'

const nouns = [
  overviewRoutes,
  owedWorkRoutes,
  failureRoutes,
  operatedAccountRoutes,
  platformFeatureRoutes,
  planRoutes,
  platformAdminRoutes,
  platformAuditRoutes,
  platformMaintenanceRoutes,
  platformCheckRoutes,
  platformBackupRoutes,
  platformGatewayRoutes,
  platformHarnessRoutes,
]

/**
 * The operator's surface, with a document of its own: a plain router around it keeps its routes out of the public
 * reference, and so from the tools of agents.
 */
export function adminRoutes(parts: Pick<ApiParts, 'version' | 'commit' | 'trust_proxy' | 'backup_target'>) {
  const { version, trust_proxy = false } = parts
  const admin = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  for (const routes of nouns) admin.route('/', routes(parts))
  let document: ReturnType<typeof adminDocument> | undefined
  admin.get('/v1/admin/openapi.json', async (c) => {
    await requirePlatformAdmin(c.var.ctx)
    document ??= adminDocument(admin, version)
    return c.json({ ...document, servers: [{ url: requestOrigin(c, trust_proxy) }] })
  })
  return new Hono<AppEnv>().route('/', admin)
}
