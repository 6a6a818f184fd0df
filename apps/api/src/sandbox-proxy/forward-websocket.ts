import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@svc/errors'
import { createProxyServer } from 'httpxy'
import { ClientLeft } from '../door/client-left.ts'
import { refuseUpgrade } from '../door/refuse-upgrade.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { beginSocketVisit, header, type SocketVisit } from '../door/visit.ts'
import type { ApiParts } from '../parts.ts'
import { prepareUpgradeHeaders } from './headers.ts'
import type { Passage } from './passage.ts'
import { targetOf } from './target.ts'
import { unreachable } from './unreachable.ts'

const upgradeMs = 10_000

/** Streams WebSockets through a passage. */
export function webSocketForwarder(parts: ApiParts, limited: RequestLimits, passage: Passage) {
  const { route } = passage
  const proxy = createProxyServer()
  const failures = new WeakMap<object, (error: Error) => void>()
  const visits = new WeakMap<object, SocketVisit>()
  proxy.on('proxyReqWs', (upstream, req) => {
    // Ahead of the listeners that write these headers to the caller.
    upstream.on('upgrade', ({ headers }) => {
      prepareUpgradeHeaders(headers)
      visits.get(req)?.ended({ route, status: 101 })
    })
    upstream.on('response', ({ headers, statusCode: status = 502 }) => {
      passage.prepareResponse(headers, false)
      visits.get(req)?.ended({ route, status })
    })
  })
  proxy.on('error', (error, req) => req && failures.get(req)?.(error))

  return async (req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const visit = beginSocketVisit(parts, req)
    const controller = new AbortController()
    const before = socket instanceof Socket ? socket.bytesWritten : 0
    const answered = () => socket instanceof Socket && socket.bytesWritten > before
    const refuse = (error: unknown) => {
      if (!controller.signal.aborted && !answered()) refuseUpgrade(socket, visit, error, route)
    }
    socket.once('close', () => controller.abort(new ClientLeft()))
    socket.on('error', () => socket.destroy())
    try {
      if (header(req, 'upgrade')?.toLowerCase() !== 'websocket' || !(socket instanceof Socket)) {
        throw new ServiceError(
          'invalid_request',
          'Only WebSocket connections can be upgraded; send Upgrade: websocket, or ask without Upgrade',
        )
      }
      await limited.address(visit.address)
      const exchange = Object.assign(visit, { signal: controller.signal })
      const { endpoint, url, user_context, note } = await passage.admit(exchange, req, true)
      await note('success')
      passage.prepareRequest(req.headers, { request_id: visit.request_id, user_context, upgrade: true })
      req.url = url
      failures.set(req, (error) => {
        if (socket.destroyed || answered()) return
        refuse(unreachable(error))
        note('failed').catch((err: unknown) => visit.log.error({ err }, 'an audit event was not written'))
      })
      visits.set(req, visit)
      await proxy.ws(req, socket, { ...targetOf(endpoint), agent: false, upgradeTimeout: upgradeMs }, head)
    } catch (error) {
      refuse(error)
    }
  }
}
