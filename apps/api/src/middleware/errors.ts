import { errorBody, ServiceError, statusOf } from '@svc/errors'
import type { Context } from 'hono'
import type { AppEnv } from '../parts.ts'
import { ClientLeft } from './client-left.ts'
import { refusalOf } from './refusal.ts'

/** nginx's status for a client that closed the connection; nobody receives it. */
const clientClosedRequest = 499

const defect = {
  error: true,
  message: 'Something went wrong; report it with the X-Request-Id',
  status: 500,
} as const

/** The one renderer of everything that is thrown. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const reason: unknown = c.var.controller?.signal.reason
  if (reason instanceof ClientLeft) return new Response(null, { status: clientClosedRequest })
  const refusal = reason instanceof ServiceError ? reason : refusalOf(error)
  if (!refusal) {
    c.var.log.error({ err: error }, 'a request failed')
    return c.json(defect, 500)
  }
  if (refusal.cause !== undefined)
    c.var.log.warn({ err: refusal.cause, code: refusal.code }, 'a request was refused')
  const status = statusOf(refusal.code)
  const { retry_after } = refusal.details
  if (retry_after !== undefined) c.header('Retry-After', String(Math.max(1, Math.ceil(retry_after))))
  if (status === 401) c.header('WWW-Authenticate', 'Bearer')
  // The rest of the body stays unread, so nothing more can come over this connection.
  if (status === 413) c.header('Connection', 'close')
  return c.json(errorBody(refusal), status)
}
