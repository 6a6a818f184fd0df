import { OpenAPIHono } from '@hono/zod-openapi'
import { health } from '@svc/contract'
import type { ApiParts, AppEnv } from '../parts.ts'

/** `/v1/health` names the build, `/healthz` says that the process answers, `/readyz` that it can serve. */
export function healthRoutes({
  db,
  version,
  commit,
  maintenance,
  log,
}: Pick<ApiParts, 'db' | 'version' | 'commit' | 'maintenance' | 'log'>) {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(health.getHealth, (c) => {
    const { until, ...current } = maintenance()
    const shown = { ...current, until: until?.toISOString() ?? null }
    return c.json({ status: 'ok' as const, version, commit, maintenance: shown }, 200)
  })
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    try {
      await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute()
      return c.json({ status: 'ok' })
    } catch (error) {
      log.warn({ err: error }, 'the database does not answer')
      return c.json({ status: 'unavailable' }, 503)
    }
  })
  return app
}
