import type { ServerResponse } from 'node:http'
import { type ServiceError, statusOf } from '@svc/errors'
import { retryHeaders } from '../rate-limit/headers.ts'

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
  for (const [name, value] of Object.entries(retryHeaders(refusal))) res.setHeader(name, value)
  answerText(res, status, refusal.message)
}
