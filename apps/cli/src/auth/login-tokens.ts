import type { TokenEndpointResponse } from 'oauth4webapi'
import { OperationError } from '../failures.ts'

/** The tokens that a login by browser leaves in the config file. */
export interface LoginTokens {
  readonly token: string
  readonly login: StoredLogin
}

export interface StoredLogin {
  readonly refresh_token: string
  /** The end of the access token. */
  readonly expires_at: string
}

export function loginTokens(answer: TokenEndpointResponse, now: number): LoginTokens {
  const { access_token: token, refresh_token, expires_in } = answer
  if (refresh_token === undefined || expires_in === undefined)
    throw new OperationError('the platform answered the login without what keeps it alive', 'try again')
  const expires_at = new Date(now + expires_in * 1000).toISOString()
  return { token, login: { refresh_token, expires_at } }
}

const early = 60_000

/** True when the access token ends within a minute. */
export function isStale({ expires_at }: StoredLogin, now: number): boolean {
  const end = Date.parse(expires_at)
  return Number.isNaN(end) || end - early <= now
}
