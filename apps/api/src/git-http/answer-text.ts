import type { ServerResponse } from 'node:http'
import { type ServiceError, statusOf } from '@svc/errors'

/** git shows a plain text body to its user, line by line, behind `remote:`. */
export function answerText(res: ServerResponse, status: number, text: string): void {
  res.statusCode = status
  res.setHeader('Content-Type', 'text/plain; charset=utf-8')
  res.setHeader('Cache-Control', 'no-cache')
  res.end(`${text}\n`)
}

export function answerRefusal(res: ServerResponse, refusal: ServiceError): void {
  const status = statusOf(refusal.code)
  if (status === 401) res.setHeader('WWW-Authenticate', 'Basic realm="svc"')
  if (refusal.details.retry_after !== undefined)
    res.setHeader('Retry-After', String(Math.ceil(refusal.details.retry_after)))
  answerText(res, status, refusal.message)
}
