import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { noUpgrade } from '@svc/timing'
import { createProxyServer } from 'httpxy'
import { type Handler, setHeaders } from '../door/door.ts'
import type { Passage } from './passage.ts'
import { targetOf } from './target.ts'
import { unreachable } from './unreachable.ts'

/** A sandbox is next door: one that takes longer to accept a connection is not there. */
const connectMs = 5_000

/** Streams requests through a passage, both ways. */
export function httpForwarder(passage: Passage): Handler {
  const proxy = createProxyServer()
  proxy.on('proxyReq', (upstream) => {
    boundConnecting(upstream)
    noUpgrade(upstream)
  })
  proxy.on('proxyRes', (upstream, _req, res) => {
    // Node throws at a status that no server may send, where nothing catches it.
    if ((upstream.statusCode ?? 0) < 100) upstream.statusCode = 502
    passage.prepareResponse(upstream.headers, res.shouldKeepAlive)
    // An event stream may stay silent for long: its headers go out before its first event.
    setImmediate(() => res.destroyed || res.flushHeaders())
  })

  return async (exchange, req, res) => {
    const { endpoint, url, user_context, limits, note } = await passage.admit(exchange, req, false)
    setHeaders(res, limits)
    await note('success')
    res.once('close', () => {
      if (res.statusCode < 400) return
      note('failed').catch((error: unknown) =>
        exchange.log.error({ err: error }, 'an audit event was not written'),
      )
    })
    passage.prepareRequest(req.headers, { request_id: exchange.request_id, user_context })
    req.url = url
    try {
      // A connection of its own for each request: a pooled one may belong to a daemon that has restarted.
      await proxy.web(req, res, { ...targetOf(endpoint), agent: false, xfwd: true })
    } catch (error) {
      throw unreachable(error)
    }
  }
}

function boundConnecting(upstream: ClientRequest): void {
  const socket: Socket | null = upstream.socket
  if (!socket?.connecting) return
  const timer = setTimeout(
    () => upstream.destroy(new Error('The sandbox did not accept a connection')),
    connectMs,
  )
  const done = () => clearTimeout(timer)
  socket.once('connect', done).once('close', done)
}
