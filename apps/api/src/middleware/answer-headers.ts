import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'
import { crossOriginHeaders } from './cross-origin.ts'

/** Headers by name, in lower case. */
export type AnswerHeaders = Record<string, string>

/** Answers belong to one caller and are what their Content-Type says. A route may say otherwise about caching. */
export function safeHeaders() {
  return createMiddleware<AppEnv>((c, next) => {
    const headers = c.get('answer_headers')
    headers['x-content-type-options'] = 'nosniff'
    headers['cache-control'] = 'no-store'
    if (c.req.path.startsWith('/v1/') && c.req.header('origin') !== undefined)
      Object.assign(headers, crossOriginHeaders)
    return next()
  })
}

/**
 * The answer with these headers, but for what it says itself. They are set once at the end: the framework would build
 * the answer anew for each that a middleware adds.
 */
export function withHeaders(answer: Response, headers: Readonly<AnswerHeaders>): Response {
  try {
    addMissing(answer.headers, headers)
    return answer
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The headers of a fetched response cannot be changed, so it is copied.
    const copy = new Response(answer.body, answer)
    addMissing(copy.headers, headers)
    return copy
  }
}

function addMissing(to: Headers, headers: Readonly<AnswerHeaders>): void {
  for (const name in headers) if (!to.has(name)) to.set(name, headers[name] ?? '')
}
