import type { Principal } from '@svc/access'
import { limits } from '@svc/contract'
import { type RateHeaders, rateHeaders, ServiceError } from '@svc/errors'
import type { ApiParts } from '../parts.ts'
import { sharedRateLimit } from './shared-rate-limit.ts'

type Address = string | null

/**
 * The rate limits of every door of the API. Each throws the refusal, and returns the headers that tell how much is
 * left.
 */
export interface RequestLimits {
  /** Requests from one address, counted before authentication. */
  address(address: Address): Promise<RateHeaders>
  /**
   * Requests with one credential. The reports of a sandbox's daemon are not counted: no other process could send them
   * later.
   */
  token(principal: Principal | undefined): Promise<RateHeaders>
  /** Attempts to guess at a person, by address. It does not tell how many are left. */
  signIn(address: Address): Promise<void>
  /** Apps that register themselves, by address. */
  registration(address: Address): Promise<RateHeaders>
  /** Requests that are proxied into one sandbox. */
  sandbox(external_id: string): Promise<RateHeaders>
}

export function requestLimits({ db, rate_limits }: Pick<ApiParts, 'db' | 'rate_limits'>): RequestLimits {
  const perMinute = (name: string, points: number | null | undefined) =>
    points === null || points === undefined ? null : sharedRateLimit(db, { name, points })
  const counted = async (limit: ReturnType<typeof perMinute>, key: string | null, who: string) => {
    if (limit === null || key === null) return {}
    const { allowed, ...state } = await limit(key)
    if (allowed) return rateHeaders(state)
    const message = `Too many requests ${who}; try again in ${state.reset} s`
    throw new ServiceError('rate_limit_exceeded', message, { retry_after: state.reset, rate_limit: state })
  }
  const byAddress = perMinute('address', rate_limits?.per_address)
  const byToken = perMinute('token', rate_limits?.per_token)
  const bySignIn = sharedRateLimit(db, { name: 'sign-in', points: limits.signInPerMinute })
  const byRegistration = perMinute('oauth-register', limits.signInPerMinute)
  const bySandbox = perMinute('sandbox', limits.proxyPerMinute)
  return {
    address: async (address) =>
      byAddress === null ? {} : counted(byAddress, requireAddress(address), 'from this address'),
    token: (principal) => counted(byToken, tokenOf(principal), 'with this token'),
    async signIn(address) {
      const { allowed, reset } = await bySignIn(requireAddress(address))
      if (allowed) return
      const message = `Too many sign-in requests from this address; try again in ${reset} s`
      throw new ServiceError('over_request_rate_limit', message, { retry_after: reset })
    },
    registration: async (address) => counted(byRegistration, requireAddress(address), 'from this address'),
    sandbox: (external_id) => counted(bySandbox, external_id, 'to this sandbox'),
  }
}

/** A request without an address could not be counted: it is refused. */
function requireAddress(address: Address): string {
  if (address !== null) return address
  throw new ServiceError(
    'invalid_request',
    'The address of this client is not known, so that its requests cannot be counted; its proxy must send X-Forwarded-For',
  )
}

function tokenOf(principal: Principal | undefined): string | null {
  return principal === undefined || principal.type === 'sandbox' ? null : principal.token_id
}
