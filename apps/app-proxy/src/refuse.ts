import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, ServiceError } from '@svc/errors'
import { pageOfEnter, pageOfPassword, pageOfRefusal, pageOfStart, wantsPage } from './pages.ts'
import type { Refused } from './places/place.ts'

export type Refusal = Omit<Refused, 'kind'>

/** Answers a visitor with a refusal: the platform's body, or the same words as a page for who asks for one. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  id: string,
): void {
  const { status, headers, body } = answerOf(request, refusal, id)
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
}

/** Shows a person that the app starts: 202, and a page that looks again. */
export function answerStarting(response: ServerResponse, id: string): void {
  response
    .writeHead(202, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(pageOfStart),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': id,
      'retry-after': '2',
    })
    .end(pageOfStart)
}

/** The same on a connection that asked for another protocol, which ends with it. */
export function refuseUpgrade(request: IncomingMessage, socket: Duplex, refusal: Refusal, id: string): void {
  const { status, headers, body } = answerOf(request, refusal, id)
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

function answerOf(request: IncomingMessage, refusal: Refusal, request_id: string) {
  const { code, message, details, enter } = refusal
  const shown = enter?.kind === 'page' ? { ...details, enter_url: enter.url } : details
  const json = errorBody(new ServiceError(code, message, shown))
  const page = wantsPage(request)
  const body = page ? pageOf(refusal, request.url ?? '/') : JSON.stringify(json)
  const { retry_after } = details ?? {}
  return {
    status: json.status,
    body,
    headers: {
      'content-type': page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': request_id,
      ...(retry_after === undefined ? {} : { 'retry-after': String(retry_after) }),
    },
  }
}

function pageOf({ message, enter }: Refusal, return_path: string): string {
  if (enter === undefined) return pageOfRefusal(message)
  return enter.kind === 'page' ? pageOfEnter(enter.url) : pageOfPassword({ return_path, wrong: false })
}
