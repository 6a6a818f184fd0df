import type { ServerResponse } from 'node:http'
import { errorBody, type ServiceError, statusOf } from '@svc/errors'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** The renderer of refusals, for answers that do not pass through the framework. */
export function refusalAnswer(refusal: ServiceError): RawAnswer {
  const status = statusOf(refusal.code)
  const { retry_after } = refusal.details
  return {
    status,
    headers: {
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...(retry_after === undefined ? {} : { 'Retry-After': String(Math.ceil(retry_after)) }),
    },
    body: errorBody(refusal),
  }
}

export function answerJson(res: ServerResponse, { status, headers, body }: RawAnswer): void {
  res.writeHead(status, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
