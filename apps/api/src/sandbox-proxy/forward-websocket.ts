import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@svc/errors'
import { createProxyServer } from 'httpxy'
import { requestIdHeader, requestIdOf } from '../middleware/request-id.ts'
import type { ApiParts } from '../parts.ts'
import type { RequestLimits } from '../rate-limit/request-limits.ts'
import type { RawAnswer } from '../raw/answer-json.ts'
import { header, pathOf } from '../raw/exchange.ts'
import { admit } from './authorize.ts'
import { prepareRequestHeaders, prepareResponseHeaders, prepareUpgradeHeaders } from './headers.ts'
import { refusalFor, unreachable } from './refuse.ts'
import { targetOf } from './target.ts'

const upgradeMs = 10_000

export function webSocketForwarder(parts: ApiParts, limited: RequestLimits) {
  const proxy = createProxyServer()
  const failures = new WeakMap<object, (error: Error) => void>()
  proxy.on('proxyReqWs', (upstream) => {
    // Ahead of the listeners that write these headers to the caller.
    upstream.on('upgrade', ({ headers }) => prepareUpgradeHeaders(headers))
    upstream.on('response', ({ headers }) => prepareResponseHeaders(headers, false))
  })
  proxy.on('error', (error, req) => req && failures.get(req)?.(error))

  return async (req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const request_id = requestIdOf(header(req, 'x-request-id'))
    const log = parts.log.child({ request_id })
    const path = pathOf(req)
    const controller = new AbortController()
    const answered = () => socket instanceof Socket && socket.bytesWritten > before
    const before = socket instanceof Socket ? socket.bytesWritten : 0
    socket.once('close', () => controller.abort())
    socket.on('error', () => socket.destroy())
    try {
      if (header(req, 'upgrade')?.toLowerCase() !== 'websocket' || !(socket instanceof Socket)) {
        throw new ServiceError('invalid_request', 'Only WebSocket connections can be upgraded')
      }
      const exchange = { log, request_id, signal: controller.signal }
      const { endpoint, url, user_context, note } = await admit(parts, limited, exchange, req, true)
      await note('success')
      prepareRequestHeaders(req.headers, { request_id, user_context, upgrade: true })
      req.url = url
      failures.set(req, (error) => {
        if (socket.destroyed || answered()) return
        end(socket, request_id, unreachable(error, log))
        note('failed').catch((err: unknown) => log.error({ err }, 'an audit event was not written'))
      })
      log.info({ method: 'GET', path, upgrade: 'websocket' }, 'request')
      await proxy.ws(
        req,
        socket,
        { target: targetOf(endpoint), agent: false, upgradeTimeout: upgradeMs },
        head,
      )
    } catch (error) {
      if (!controller.signal.aborted && !answered()) end(socket, request_id, refusalFor(error, log))
    }
  }
}

/** An answer on a connection that HTTP has let go of. */
export function end(socket: Duplex, request_id: string, { status, headers, body }: RawAnswer): void {
  const text = JSON.stringify(body)
  const fields = {
    ...headers,
    [requestIdHeader]: request_id,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`)
}
