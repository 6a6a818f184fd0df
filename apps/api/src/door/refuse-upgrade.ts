import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { json } from './dialects.ts'
import { rendered } from './render.ts'
import { requestIdHeader } from './request-id.ts'
import type { SocketVisit } from './visit.ts'

/** A refusal on a connection that HTTP has let go of. */
export function refuseUpgrade(socket: Duplex, visit: SocketVisit, error: unknown, route: string): void {
  const { status, headers, text } = rendered(error, json, visit)
  const fields = {
    ...headers,
    [requestIdHeader]: visit.request_id,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`)
  visit.ended({ route, status })
}
