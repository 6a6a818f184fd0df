import { WebAPIHTTPError, WebAPIPlatformError } from '@slack/web-api'
import { ChannelRefused, connectionError, MessageRefused, RateLimited } from '@svc/channel'
import { z } from 'zod'

/** The token is of no use any more, or never was. */
const refusedCredential = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'user_removed_from_team',
  'team_disabled',
]

/** May be different the next time. */
const passing = [
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'method_unavailable',
]

const Refusal = z.object({
  error: z.string().regex(/^[a-z0-9_.-]{1,80}$/i),
  needed: z.string().optional(),
  response_metadata: z.object({ retryAfter: z.number().optional() }).optional(),
})

/** The error of the seam for one of Slack's client. */
export function channelError(error: unknown): Error {
  const met = connectionError(error)
  if (met !== null) return met
  if (error instanceof WebAPIPlatformError) return refusal(error.data)
  if (error instanceof WebAPIHTTPError)
    return new Error(`Slack answered with status ${error.statusCode}`, { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}

/** A try again after what `Retry-After` says, in seconds. */
export function rateLimited(retry_after: string | number | null | undefined): RateLimited {
  const seconds = Number(retry_after ?? 1)
  return new RateLimited(Math.max(1, Number.isFinite(seconds) ? seconds : 1) * 1_000)
}

function refusal(data: unknown): Error {
  const answer = Refusal.safeParse(data).data
  if (answer === undefined) return new Error('The API did not answer as that of Slack')
  const { error, needed, response_metadata } = answer
  if (error === 'ratelimited' || error === 'rate_limited') return rateLimited(response_metadata?.retryAfter)
  if (refusedCredential.includes(error))
    return new ChannelRefused('credential_refused', `Slack refused the token: ${error}`)
  if (error === 'missing_scope')
    return new ChannelRefused('missing_scope', `The token lacks the scope ${needed ?? 'that this needs'}`)
  if (passing.includes(error)) return new Error(`Slack is not able to at this moment: ${error}`)
  return new MessageRefused(`Slack refused it: ${error}`)
}
