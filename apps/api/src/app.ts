import { OpenAPIHono } from '@hono/zod-openapi'
import { limits } from '@svc/contract'
import { compressJson } from './compression/compress-json.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { adminRoutes } from './routes/admin/admin.ts'
import { docsRoutes, homeRoutes } from './docs/routes.ts'
import { executorMcpRoutes } from './mcp/executor/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { accessLog } from './middleware/access-log.ts'
import { safeHeaders } from './middleware/answer-headers.ts'
import { auditedAction, auditLog } from './middleware/audit.ts'
import { authentication } from './middleware/authenticate.ts'
import { bodyLimit } from './middleware/body-limit.ts'
import { crossOrigin } from './middleware/cross-origin.ts'
import { deadline } from './middleware/deadline.ts'
import { emptyBody } from './middleware/empty-body.ts'
import { renderError } from './middleware/errors.ts'
import { maintenanceGate } from './middleware/maintenance.ts'
import { addressLimit, signInLimit, tokenLimit } from './middleware/rate-limit.ts'
import { refusedCredentials } from './middleware/refused-credentials.ts'
import { requestContext } from './middleware/request-context.ts'
import { unknownPath } from './middleware/unknown-path.ts'
import { refuseInvalid } from './middleware/validation.ts'
import { discoveryRoutes, mcpChallenge } from './oauth/discovery.ts'
import type { ApiParts, AppEnv } from './parts.ts'
import { pathOfRoute } from './path-of-route.ts'
import { connectorCallRoutes } from './routes/connector-calls.ts'
import { channelRoutes } from './routes/channels.ts'
import { connectorRoutes } from './routes/connectors.ts'
import { healthRoutes } from './routes/health.ts'
import { scimRoutes } from './scim/routes.ts'
import { paymentRoutes } from './routes/money/payments.ts'
import { nounRoutes } from './routes/nouns.ts'
import { linkPage } from './sign-in/link-page.ts'
import type { RequestLimits } from './door/request-limits.ts'
import type { OpenStreams } from './stream/open-streams.ts'

/** The REST API. A route mounted before `authentication` needs no token of ours. */
export function createApp(
  parts: ApiParts,
  streams: OpenStreams,
  limited: RequestLimits,
): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid, getPath: pathOfRoute })
  app.onError(renderError)
  app.notFound(unknownPath(app))
  app.use(accessLog(parts))
  for (const { path, fetch } of parts.mounts ?? []) app.mount(path, fetch, { replaceRequest: false })
  app.use(safeHeaders())
  app.use('/v1/*', crossOrigin(), compressJson())
  app.route('/', healthRoutes(parts))
  app.route('/', homeRoutes(parts))
  app.route('/', dashboardRoutes(parts, parts.settings.previews))
  app.route('/', discoveryRoutes(parts))
  if (parts.public_docs) app.route('/', docsRoutes(app, parts))
  app.use('/v1/auth/*', signInLimit(limited, parts))
  app.use('/v1/mcp', mcpChallenge(parts))
  app.use(
    '/v1/*',
    addressLimit(limited, parts),
    refusedCredentials(parts, auditedAction),
    authentication(parts),
    tokenLimit(limited),
    requestContext(parts),
    auditLog(),
    maintenanceGate(),
    deadline(parts.deadline_ms ?? limits.requestDeadlineMs),
    bodyLimit(),
    emptyBody(),
  )
  app.get('/v1/auth/link', linkPage)
  for (const routes of nounRoutes) app.route('/', routes(streams))
  app.route('/', connectorRoutes(parts))
  app.route('/', channelRoutes(parts))
  app.route('/', connectorCallRoutes(parts))
  app.route('/', paymentRoutes(parts))
  app.route('/', adminRoutes(parts))
  app.route('/', mcpRoutes(app, parts))
  app.route('/', executorMcpRoutes(parts))
  app.route('/', scimRoutes(parts, limited))
  return app
}
