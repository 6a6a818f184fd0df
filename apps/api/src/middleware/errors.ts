import { ServiceError, statusOf } from '@svc/errors'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../parts.ts'
import { bodyOf } from '../rate-limit/body.ts'
import { retryHeaders } from '../rate-limit/headers.ts'
import { isScim, scimError, scimRefusal, scimType } from '../scim/error.ts'
import { ClientLeft } from './client-left.ts'
import { refusalOf } from './refusal.ts'

/** nginx's status for a client that closed the connection; nobody receives it. */
export const clientClosedRequest = 499

export const defect = {
  error: true,
  message: 'Something went wrong; report it with the X-Request-Id',
  status: 500,
} as const

/** The one renderer of everything that is thrown. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const reason: unknown = c.get('end')?.reason
  if (reason instanceof ClientLeft) return new Response(null, { status: clientClosedRequest })
  const refusal = reason instanceof ServiceError ? reason : refusalOf(error)
  if (!refusal) {
    c.var.log.error({ err: error }, 'a request failed')
    return refusalJson(c, defectBody(c.req.path), 500)
  }
  if (refusal.cause !== undefined)
    c.var.log.warn({ err: refusal.cause, code: refusal.code }, 'a request was refused')
  const status = statusOf(refusal.code)
  for (const [name, value] of Object.entries(retryHeaders(refusal))) c.header(name, value)
  if (status === 401) c.header('WWW-Authenticate', 'Bearer')
  return refusalJson(c, refusalBody(c.req.path, refusal), status)
}

/** The sign-in answers in its own protocol's shape. */
export function refusalBody(path: string, refusal: ServiceError): object {
  const { code: error, message: error_description } = refusal
  if (isScim(path)) return scimRefusal(refusal)
  return isSignIn(path) ? { error, error_description } : bodyOf(refusal)
}

function defectBody(path: string): object {
  if (isScim(path)) return scimError(500, defect.message)
  return isSignIn(path) ? { error: 'server_error', error_description: defect.message } : defect
}

/** The body with the media type that its protocol has. */
export function refusalJson(c: Context<AppEnv>, body: object, status: ContentfulStatusCode): Response {
  return isScim(c.req.path) ? c.json(body, status, scimType) : c.json(body, status)
}

function isSignIn(path: string): boolean {
  return path.startsWith('/v1/auth/')
}
