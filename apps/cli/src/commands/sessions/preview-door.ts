import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createProxyServer } from 'httpxy'

export interface Door {
  readonly url: string
  close(): Promise<void>
}

/**
 * A browser sends no bearer token, and a token has no place in a URL: this server on the own machine adds it. Requests,
 * event streams and WebSockets all go through.
 */
export async function openDoor({ url, token }: { url: string; token: string }): Promise<Door> {
  const { origin, pathname } = new URL(url)
  const proxy = createProxyServer({
    target: origin,
    changeOrigin: true,
    headers: { authorization: `Bearer ${token}` },
  })
  proxy.on('error', (_error, _request, response) => {
    if (response && 'writeHead' in response) refuse(response, 502, 'The platform did not answer')
    else response?.destroy()
  })
  const server = createServer((request, response) => {
    if (!isMeant(request, server.address()))
      return refuse(response, 403, 'This door is only for this machine')
    aim(request, pathname)
    proxy.web(request, response).catch(() => undefined)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!isMeant(request, server.address())) return socket.destroy()
    aim(request, pathname)
    proxy.ws(request, socket, {}, head).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function aim(request: IncomingMessage, prefix: string): void {
  request.url = prefix + (request.url ?? '/').replace(/^\//, '')
}

/** A foreign page could make its own name point here: only the address itself is answered. */
function isMeant(
  request: IncomingMessage,
  address: ReturnType<ReturnType<typeof createServer>['address']>,
): boolean {
  if (typeof address !== 'object' || address === null) return false
  return [`127.0.0.1:${address.port}`, `localhost:${address.port}`].includes(request.headers.host ?? '')
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${message}\n`)
}
