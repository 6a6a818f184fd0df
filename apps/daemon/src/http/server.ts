import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Log } from '../log.ts'
import type { ReverseProxy } from '../proxy/reverse-proxy.ts'
import type { SvcEnv } from './access.ts'
import { refusal, sendJson } from './answers.ts'

const ownPath = /^\/svc(\/|\?|$)/

/** The daemon's one port: its own routes, and the proxy for everything else. */
export async function listenHttp(parts: {
  readonly app: Hono<SvcEnv>
  readonly proxy: ReverseProxy
  readonly host: string
  readonly port: number
  readonly log: Log
}): Promise<Server> {
  const { app, proxy, log } = parts
  const own = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((request, response) => {
    const answered = ownPath.test(request.url ?? '/') ? own(request, response) : proxy.web(request, response)
    Promise.resolve(answered).catch((error: unknown) => {
      log.error('a request failed', { error })
      sendJson(response, 500, refusal(500, 'The daemon failed'))
    })
  })
  // A stream or an upload of the agent's programs may take as long as it likes.
  server.requestTimeout = 0
  server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) return void socket.destroy()
    proxy.upgrade(request, socket, head).catch((error: unknown) => {
      log.error('an upgrade failed', { error })
      socket.destroy()
    })
  })
  server.listen(parts.port, parts.host)
  await once(server, 'listening')
  return server
}
