import { ServiceError } from '@svc/errors'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ClientLeft, clientClosedRequest } from '../door/client-left.ts'
import { dialectOf } from '../door/dialects.ts'
import { rendered, renderedRefusal, type RenderedAnswer } from '../door/render.ts'
import type { AppEnv } from '../parts.ts'

/** The framework's answer to every thrown error. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const reason: unknown = c.get('end')?.reason
  if (reason instanceof ClientLeft) return new Response(null, { status: clientClosedRequest })
  const thrown = reason instanceof ServiceError ? reason : error
  return answer(c, rendered(thrown, dialectOf(c.req.path), c.get('visit')))
}

export function refuse(c: Context<AppEnv>, refusal: ServiceError): Response {
  return answer(c, renderedRefusal(refusal, dialectOf(c.req.path)))
}

function answer(c: Context<AppEnv>, { status, headers, text }: RenderedAnswer): Response {
  // Named boundary: the statuses of refusals all have a body.
  return c.body(text, status as ContentfulStatusCode, headers)
}
