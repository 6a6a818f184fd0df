import type { ServerResponse } from 'node:http'
import { type ServiceError, statusOf } from '@svc/errors'
import { bodyOf } from '../rate-limit/body.ts'
import { retryHeaders } from '../rate-limit/headers.ts'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** The renderer of refusals, for answers that do not pass through the framework. */
export function refusalAnswer(refusal: ServiceError): RawAnswer {
  const status = statusOf(refusal.code)
  return {
    status,
    headers: {
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...retryHeaders(refusal),
    },
    body: bodyOf(refusal),
  }
}

export function answerJson(res: ServerResponse, { status, headers, body }: RawAnswer): void {
  res.writeHead(status, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
