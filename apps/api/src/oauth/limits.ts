import type { RateHeaders } from '@svc/errors'
import type { RequestLimits } from '../door/request-limits.ts'
import type { OAuthRoute } from './paths.ts'

const guessed: ReadonlySet<OAuthRoute> = new Set(['device', 'verify', 'interaction'])

/** A request that guesses at a person or fills a table counts as sign-in; the rest as any request of its address. */
export async function countOAuth(
  limited: RequestLimits,
  route: OAuthRoute,
  method: string,
  address: string | null,
): Promise<RateHeaders> {
  if (method !== 'POST') return limited.address(address)
  if (route === 'register') return limited.registration(address)
  if (!guessed.has(route)) return limited.address(address)
  await limited.signIn(address)
  return {}
}
