import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ApiParts, AppEnv } from '../parts.ts'
import type { RateHeaders } from '@svc/errors'
import type { RequestLimits } from '../door/request-limits.ts'
import { addressOf } from '../door/client-address.ts'

type Parts = Pick<ApiParts, 'is_proxy'>

/** Runs before authentication. The sign-in has a limit of its own. */
export function addressLimit(limits: RequestLimits, { is_proxy }: Parts) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!c.req.path.startsWith('/v1/auth/')) writeHeaders(c, await limits.address(addressOf(c, is_proxy)))
    await next()
  })
}

export function tokenLimit(limits: RequestLimits) {
  return createMiddleware<AppEnv>(async (c, next) => {
    writeHeaders(c, await limits.token(c.get('principal')))
    await next()
  })
}

export function signInLimit(limits: RequestLimits, { is_proxy }: Parts) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await limits.signIn(addressOf(c, is_proxy))
    await next()
  })
}

/** Writes the rate limit headers; of several limits the answer tells the last one. */
function writeHeaders(c: Context<AppEnv>, headers: RateHeaders): void {
  Object.assign(c.get('answer_headers'), headers)
}
