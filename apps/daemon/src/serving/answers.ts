import type { ServerResponse } from 'node:http'
import { HTTPException } from 'hono/http-exception'

/** The body of every refusal but 401, which has its own. */
export function refusal(status: number, message: string, code?: string, details: object = {}): object {
  return { error: true, message, status, ...(code === undefined ? {} : { code }), ...details }
}

/** Ends a Hono handler with a refusal. */
export function refuse(
  status: 400 | 403 | 404 | 409 | 413 | 502 | 503,
  message: string,
  code?: string,
): never {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (status === 503) headers['retry-after'] = '2'
  throw new HTTPException(status, {
    message,
    res: new Response(JSON.stringify(refusal(status, message, code)), { status, headers }),
  })
}

/** The same on a plain response, for what is proxied. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
