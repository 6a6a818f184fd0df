import type { Logger } from '@svc/boot'
import { ServiceError } from '@svc/errors'
import { refusalOf } from '../middleware/refusal.ts'
import { type RawAnswer, refusalAnswer } from '../raw/answer-json.ts'

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
