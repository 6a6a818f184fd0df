import { operations } from '@svc/contract'
import { recordDenial } from '@svc/services'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'
import { answeredRoute } from './answered-route.ts'

/** By method and path as the router writes them. What a daemon reports and what senders deliver have logs of their own. */
const audited: ReadonlyMap<string, string> = new Map(
  operations
    .filter(({ access }) => access !== null && !('public' in access) && !('sandbox_key' in access))
    .map(({ name, method, path }) => [`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, name]),
)

/** Leaves a row for every denial, once the answer is known and before it is sent. What is done, the verbs write down. */
export function auditLog() {
  return createMiddleware<AppEnv>(async (c, next) => {
    await next()
    if (c.get('principal') === undefined) return
    const action = audited.get(`${c.req.method} ${answeredRoute(c) ?? ''}`)
    if (action === undefined) return
    const ctx = c.get('ctx')
    const target = c.req.path.replace(/^\/v1\//, '')
    // A log that cannot be written now is told to the operator; the caller is refused all the same.
    await recordDenial(ctx, { action, target, status: c.res.status }).catch((error: unknown) =>
      ctx.log.error({ err: error, action, target }, 'an audit event was not written'),
    )
  })
}
