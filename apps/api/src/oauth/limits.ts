import { limits } from '@svc/contract'
import type { ApiParts } from '../parts.ts'
import { rateLimitBody, type RateVerdict, sharedRateLimit } from '../rate-limit/shared.ts'
import type { OAuthRoute } from './paths.ts'

export interface Refused {
  readonly body: object
  readonly verdict: RateVerdict
}

/** What guesses at a person or fills a table counts as sign-in; the rest as any request of its address. */
export function oauthLimits({ db, rate_limits }: Pick<ApiParts, 'db' | 'rate_limits'>) {
  const signIn = sharedRateLimit(db, { name: 'sign-in', points: limits.signInPerMinute })
  const register = sharedRateLimit(db, { name: 'oauth-register', points: limits.signInPerMinute })
  const points = rate_limits?.per_address ?? null
  const address = points === null ? null : sharedRateLimit(db, { name: 'address', points })

  return async (route: OAuthRoute, method: string, ip: string | null): Promise<Refused | null> => {
    if (ip === null) return null
    const posts = method === 'POST'
    if (posts && (route === 'device' || route === 'verify' || route === 'interaction')) {
      const verdict = await signIn(ip)
      const error_description = `Too many sign-in requests; wait ${verdict.retry_after} seconds`
      return verdict.allowed
        ? null
        : { verdict, body: { error: 'over_request_rate_limit', error_description } }
    }
    const limit = posts && route === 'register' ? register : address
    const verdict = limit === null ? null : await limit(ip)
    if (verdict === null || verdict.allowed) return null
    const message = `This address has had its requests of this minute; wait ${verdict.retry_after} seconds`
    return { verdict, body: rateLimitBody(message, verdict.retry_after) }
  }
}
