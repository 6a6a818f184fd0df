import { requireWritesOpen } from '@svc/context'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'
import { isRead } from '../door/known-method.ts'
import { isPublic } from './public-paths.ts'

/** Signing in, the operator's own surface, and doors whose calls are refused one by one. */
const alwaysOpen = ['/v1/auth/', '/v1/oauth/', '/v1/admin/', '/v1/mcp', '/v1/executor/mcp']

/** Refuses the writes of people and agents while the platform is read-only; what sandboxes report is taken. */
export function maintenanceGate() {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { method, path } = c.req
    const passes =
      isRead(method) || isPublic(path) || isAlwaysOpen(path) || c.get('principal').type === 'sandbox'
    if (!passes) requireWritesOpen(c.get('ctx'))
    await next()
  })
}

const isAlwaysOpen = (path: string): boolean => alwaysOpen.some((prefix) => path.startsWith(prefix))
