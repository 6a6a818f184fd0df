import type { Principal } from '@svc/access'
import { limits } from '@svc/contract'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ApiParts, AppEnv } from '../parts.ts'
import { rateLimitBody, type RateLimit, type RateVerdict, sharedRateLimit } from '../rate-limit/shared.ts'
import type { AnswerHeaders } from './answer-headers.ts'
import { clientAddress, noProxy } from './client-address.ts'

type LimitParts = Pick<ApiParts, 'db' | 'is_proxy' | 'rate_limits'>

/** Requests from one address, before anybody asks who sends them. The sign-in has a limit of its own. */
export function addressLimit({ db, is_proxy = noProxy, rate_limits }: LimitParts) {
  const points = rate_limits?.per_address ?? null
  const limit = points === null ? null : sharedRateLimit(db, { name: 'address', points })
  return createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.path.startsWith('/v1/auth/')) return next()
    const address = c.env?.incoming ? clientAddress(c.env.incoming, is_proxy) : null
    return limited(c, next, limit, address, 'This address')
  })
}

/** Requests with one credential. What a sandbox's daemon reports is not counted: nobody could send it later. */
export function tokenLimit({ db, rate_limits }: LimitParts) {
  const points = rate_limits?.per_token ?? null
  const limit = points === null ? null : sharedRateLimit(db, { name: 'token', points })
  return createMiddleware<AppEnv>(async (c, next) =>
    limited(c, next, limit, tokenOf(c.get('principal')), 'This token'),
  )
}

/** The sign-in answers in its own protocol's shape, and says nothing of what is left. */
export function signInLimit({ db, is_proxy = noProxy }: LimitParts) {
  const limit = sharedRateLimit(db, { name: 'sign-in', points: limits.signInPerMinute })
  return createMiddleware<AppEnv>(async (c, next) => {
    const address = c.env?.incoming ? clientAddress(c.env.incoming, is_proxy) : null
    const verdict = address === null ? null : await limit(address)
    if (verdict === null || verdict.allowed) return next()
    c.header('Retry-After', String(verdict.retry_after))
    const error_description = `Too many sign-in requests; wait ${verdict.retry_after} seconds`
    return c.json({ error: 'over_request_rate_limit', error_description }, 429)
  })
}

async function limited(
  c: Context<AppEnv>,
  next: () => Promise<void>,
  limit: RateLimit | null,
  key: string | null,
  who: string,
): Promise<Response | void> {
  if (limit === null || key === null) return next()
  const verdict = await limit(key)
  addHeaders(c.get('answer_headers'), verdict)
  if (verdict.allowed) return next()
  c.header('Retry-After', String(verdict.retry_after))
  return c.json(limitedBody(who, verdict), 429)
}

export function limitedBody(who: string, { retry_after }: RateVerdict) {
  return rateLimitBody(`${who} has had its requests of this minute; wait ${retry_after} seconds`, retry_after)
}

/** Of several limits the last that was asked is told. */
function addHeaders(answer: AnswerHeaders, { headers }: RateVerdict): void {
  for (const [name, value] of Object.entries(headers)) answer[name.toLowerCase()] = value
}

function tokenOf(principal: Principal | undefined): string | null {
  return principal === undefined || principal.type === 'sandbox' ? null : principal.token_id
}
