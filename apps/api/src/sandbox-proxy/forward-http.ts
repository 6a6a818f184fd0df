import type { ServerResponse } from 'node:http'
import { type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createProxyServer } from 'httpxy'
import type { ApiParts } from '../parts.ts'
import type { RequestLimits } from '../rate-limit/request-limits.ts'
import { answerJson } from '../raw/answer-json.ts'
import { openExchange, setHeaders } from '../raw/exchange.ts'
import { admit } from './authorize.ts'
import { prepareRequestHeaders, prepareResponseHeaders } from './headers.ts'
import { refusalFor, unreachable } from './refuse.ts'
import { targetOf } from './target.ts'

/** A sandbox is next door: one that takes longer to accept a connection is not there. */
const connectMs = 5_000

export function httpForwarder(parts: ApiParts, limited: RequestLimits) {
  const proxy = createProxyServer()
  proxy.on('proxyReq', boundConnecting)
  proxy.on('proxyRes', (upstream, _req, res) => {
    prepareResponseHeaders(upstream.headers, res.shouldKeepAlive)
    // An event stream may stay silent for long: its headers go out before its first event.
    setImmediate(() => res.destroyed || res.flushHeaders())
  })

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const exchange = openExchange(parts, '/v1/p/:external_id/:port', req, res)
    const fail = (cause: unknown) => {
      if (exchange.signal.aborted) return
      if (res.headersSent) res.destroy()
      else answerJson(res, unreachable(cause, exchange.log))
    }
    try {
      const { endpoint, url, user_context, limits, note } = await admit(parts, limited, exchange, req)
      setHeaders(res, limits)
      await note('success')
      res.once('close', () => {
        if (res.statusCode < 400) return
        note('failed').catch((error: unknown) =>
          exchange.log.error({ err: error }, 'an audit event was not written'),
        )
      })
      prepareRequestHeaders(req.headers, { request_id: exchange.request_id, user_context })
      req.url = url
      // A connection of its own for each request: a pooled one may belong to a daemon that has restarted.
      await proxy.web(req, res, { target: targetOf(endpoint), agent: false, xfwd: true }).catch(fail)
    } catch (error) {
      if (!exchange.signal.aborted) answerJson(res, refusalFor(error, exchange.log))
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
