import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorBody, ServiceError } from '@svc/errors'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
}

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

/** The same on a connection that asked for another protocol, which ends with it. */
export function refuseUpgrade(request: IncomingMessage, socket: Duplex, refusal: Refusal, id: string): void {
  const { status, headers, body } = answerOf(request, refusal, id)
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

function answerOf({ headers }: IncomingMessage, { code, message }: Refusal, request_id: string) {
  const json = errorBody(new ServiceError(code, message))
  const page = (headers.accept ?? '').includes('text/html')
  const body = page ? pageOf(message) : JSON.stringify(json)
  return {
    status: json.status,
    body,
    headers: {
      'content-type': page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': request_id,
    },
  }
}

function pageOf(message: string): string {
  const words = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>App</title><p>${words}</p></html>\n`
}
