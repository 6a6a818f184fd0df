import type { Logger } from '@svc/boot'
import { limits } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import { refusalOf } from '../middleware/refusal.ts'
import { type RawAnswer, refusalAnswer } from '../raw/answer-json.ts'
import { rateLimitBody, type RateVerdict } from '../rate-limit/shared.ts'

/** What an error before or on the way to the sandbox tells the caller. */
export function refusalFor(error: unknown, log: Logger): RawAnswer {
  const refusal = refusalOf(error)
  if (refusal) return refusalAnswer(refusal)
  log.error({ err: error }, 'a proxied request failed')
  const body = { error: true, message: 'Something went wrong; report it with the X-Request-Id', status: 500 }
  return { status: 500, headers: {}, body }
}

export function unreachable(cause: unknown, log: Logger): RawAnswer {
  log.warn({ err: cause }, 'a sandbox did not answer')
  return refusalAnswer(new ServiceError('sandbox_unreachable', 'The sandbox did not answer'))
}

export function tooMany({ headers, retry_after }: RateVerdict): RawAnswer {
  const message = `This sandbox has had ${limits.proxyPerMinute} requests within a minute; wait ${retry_after} seconds`
  return {
    status: 429,
    headers: { ...headers, 'Retry-After': String(retry_after) },
    body: rateLimitBody(message, retry_after),
  }
}
