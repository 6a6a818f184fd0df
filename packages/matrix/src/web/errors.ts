import { ChannelRefused, connectionError, MessageRefused, RateLimited } from '@svc/channel'
import { z } from 'zod'

/** The token is of no use any more, or never was. */
const refusedCredential = ['M_UNKNOWN_TOKEN', 'M_MISSING_TOKEN', 'M_USER_DEACTIVATED']

const Answer = z.object({
  errcode: z.string().regex(/^[A-Za-z0-9_.-]{1,80}$/),
  retry_after_ms: z.number().optional().catch(undefined),
})

/** A request that the homeserver refused, and will again. */
export class Refusal extends MessageRefused {
  readonly errcode: string

  constructor(errcode: string) {
    super(`The homeserver refused it: ${errcode}`)
    this.errcode = errcode
  }
}

/** The error of the seam for one that a request met. */
export function channelError(error: unknown): Error {
  return connectionError(error) ?? (error instanceof Error ? error : new Error(String(error)))
}

interface Refused {
  readonly status: number
  readonly body: unknown
  /** `Retry-After`, in seconds. */
  readonly retry_after: string | null
}

/** The error of the seam for an answer that is none of success. */
export function answerError({ status, body, retry_after }: Refused): Error {
  const answer = Answer.safeParse(body).data
  if (status === 429 || answer?.errcode === 'M_LIMIT_EXCEEDED')
    return rateLimited(answer?.retry_after_ms ?? Number(retry_after ?? 1) * 1_000)
  if (status >= 500) return new Error(`The homeserver answered with status ${status}`)
  if (answer === undefined) return new Error(`The API answered as none of Matrix, with status ${status}`)
  const { errcode } = answer
  if (refusedCredential.includes(errcode))
    return new ChannelRefused('credential_refused', `The homeserver refused the token: ${errcode}`)
  // A user who is locked may be let in again.
  if (errcode === 'M_USER_LOCKED') return new Error('The homeserver has locked the user of the bot')
  return new Refusal(errcode)
}

function rateLimited(ms: number): RateLimited {
  return new RateLimited(Math.max(1_000, Number.isFinite(ms) ? Math.ceil(ms) : 1_000))
}
