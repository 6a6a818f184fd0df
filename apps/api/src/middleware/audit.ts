import { operations } from '@svc/contract'
import { settleAudit } from '@svc/services'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'
import { answeredRoute } from './answered-route.ts'

interface Audited {
  readonly name: string
  readonly mutates: boolean
}

/** By method and path as the router writes them. What a daemon reports and what senders deliver have logs of their own. */
const audited: ReadonlyMap<string, Audited> = new Map(
  operations
    .filter(({ access }) => access !== null && !('public' in access) && !('sandbox_key' in access))
    .map(({ name, method, path }) => [
      `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      { name, mutates: method !== 'GET' },
    ]),
)

/** Leaves a row for every mutation and every denial, once the answer is known and before it is sent. */
export function auditLog() {
  return createMiddleware<AppEnv>(async (c, next) => {
    await next()
    if (c.get('principal') === undefined) return
    const operation = audited.get(`${c.req.method} ${answeredRoute(c) ?? ''}`)
    if (!operation) return
    const ctx = c.get('ctx')
    const { name: action, mutates } = operation
    const target = c.req.path.replace(/^\/v1\//, '')
    // What was done is done: a log that cannot be written now is told to the operator, not to the caller.
    await settleAudit(ctx, { action, target, mutates, status: c.res.status }).catch((error: unknown) =>
      ctx.log.error({ err: error, action, target }, 'an audit event was not written'),
    )
  })
}
