import { monitorHost } from '@svc/contract/sandbox'
import { Hono } from 'hono'
import { requirePlatform, type SvcEnv } from '../serving/access.ts'
import { refuse } from '../serving/answers.ts'
import { readBody } from '../serving/body.ts'
import type { Monitors } from './monitors.ts'

/** `POST /svc/monitors`: for the platform alone, and only in the sandbox of a project's monitors. */
export function monitorRoutes(monitors: Monitors | null): Hono<SvcEnv> {
  const routes = new Hono<SvcEnv>()
  routes.post('/', requirePlatform, async (c) => {
    if (monitors === null)
      refuse(404, 'This sandbox runs no monitors; ask the session of the monitors instead', 'not_found')
    const body = await readBody(c, monitorHost.MonitorsBody)
    return c.json(await monitors.exchange(body, c.req.raw.signal))
  })
  return routes
}
