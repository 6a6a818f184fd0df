import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@svc/errors'
import { createProxyServer } from 'httpxy'
import { ClientLeft } from '../door/client-left.ts'
import { refuseUpgrade } from '../door/refuse-upgrade.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { beginSocketVisit, header } from '../door/visit.ts'
import type { ApiParts } from '../parts.ts'
import { admitToSandbox } from './authorize.ts'
import { prepareRequestHeaders, prepareResponseHeaders, prepareUpgradeHeaders } from './headers.ts'
import { proxyPattern } from './route.ts'
import { targetOf } from './target.ts'
import { unreachable } from './unreachable.ts'

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
    const visit = beginSocketVisit(parts, req)
    const controller = new AbortController()
    const before = socket instanceof Socket ? socket.bytesWritten : 0
    const answered = () => socket instanceof Socket && socket.bytesWritten > before
    const refuse = (error: unknown) => {
      if (controller.signal.aborted || answered()) return
      refuseUpgrade(socket, visit, error, proxyPattern)
    }
    socket.once('close', () => controller.abort(new ClientLeft()))
    socket.on('error', () => socket.destroy())
    try {
      if (header(req, 'upgrade')?.toLowerCase() !== 'websocket' || !(socket instanceof Socket)) {
        throw new ServiceError('invalid_request', 'Only WebSocket connections can be upgraded')
      }
      await limited.address(visit.address)
      const exchange = Object.assign(visit, { signal: controller.signal })
      const { endpoint, url, user_context, note } = await admitToSandbox(parts, limited, exchange, req, true)
      await note('success')
      prepareRequestHeaders(req.headers, { request_id: visit.request_id, user_context, upgrade: true })
      req.url = url
      failures.set(req, (error) => {
        if (socket.destroyed || answered()) return
        refuse(unreachable(error))
        note('failed').catch((err: unknown) => visit.log.error({ err }, 'an audit event was not written'))
      })
      visit.ended({ route: proxyPattern, status: 101, more: { upgrade: 'websocket' } })
      await proxy.ws(req, socket, { ...targetOf(endpoint), agent: false, upgradeTimeout: upgradeMs }, head)
    } catch (error) {
      refuse(error)
    }
  }
}
