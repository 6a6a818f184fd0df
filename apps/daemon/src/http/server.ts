import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Log } from '../log.ts'
import type { ReverseProxy } from '../proxy/reverse-proxy.ts'
import type { SvcEnv } from './access.ts'
import { refusal, sendJson } from './answers.ts'

const ownPath = /^\/svc(\/|\?|$)/

export interface ListenAt {
  readonly host: string
  readonly port: number
  readonly fd: number | undefined
}

/**
 * The daemon's one port: its own routes, and the proxy for everything else. An inherited socket answers the same, for a
 * platform that cannot reach the port.
 */
export async function listenHttp(parts: {
  readonly app: Hono<SvcEnv>
  readonly proxy: ReverseProxy
  readonly listen: ListenAt
  readonly log: Log
}): Promise<readonly Server[]> {
  const { app, proxy, log } = parts
  const own = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const answer: RequestListener = (request, response) => {
    const answered = ownPath.test(request.url ?? '/') ? own(request, response) : proxy.web(request, response)
    Promise.resolve(answered).catch((error: unknown) => {
      log.error('a request failed', { error })
      sendJson(response, 500, refusal(500, 'The daemon failed'))
    })
  }
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (!(socket instanceof Socket)) return void socket.destroy()
    proxy.upgrade(request, socket, head).catch((error: unknown) => {
      log.error('an upgrade failed', { error })
      socket.destroy()
    })
  }
  const { host, port, fd } = parts.listen
  const places: readonly object[] = fd === undefined ? [{ host, port }] : [{ fd }, { host, port }]
  return Promise.all(
    places.map(async (place) => {
      // A stream or an upload of the agent's programs may take as long as it likes.
      const server = createServer({ requestTimeout: 0 }, answer).on('upgrade', upgrade).listen(place)
      await once(server, 'listening')
      return server
    }),
  )
}
