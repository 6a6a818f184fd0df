import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { dropPlatformCookies, freeDocument, isForeignWrite } from '@svc/contract/preview'
import { createProxyServer } from 'httpxy'

export interface PreviewProxy {
  readonly url: string
  close(): Promise<void>
}

/**
 * A browser sends no bearer token, and a token has no place in a URL: this proxy on the own machine adds it.
 * Requests, event streams and WebSockets all go through. Cookies know no ports, so that the proxy has a host name that
 * nothing else on this machine has: what the browser keeps for a platform here stays with it. The name cannot be
 * guessed, and no name of a foreign page leads here.
 */
export async function openPreviewProxy({
  url,
  token,
}: {
  url: string
  token: string
}): Promise<PreviewProxy> {
  const { origin, pathname } = new URL(url)
  const proxy = createProxyServer({
    target: origin,
    changeOrigin: true,
    headers: { authorization: `Bearer ${token}` },
  })
  proxy.on('proxyRes', ({ headers }) => asMeant(headers))
  proxy.on('proxyReqWs', (upstream) => {
    // Ahead of the listeners that write these headers to the browser.
    for (const event of ['upgrade', 'response'])
      upstream.on(event, ({ headers }: IncomingMessage) => asMeant(headers))
  })
  proxy.on('error', (_error, _request, response) => {
    if (response && 'writeHead' in response) refuse(response, 502, 'The platform did not answer; try again')
    else response?.destroy()
  })
  const name = `${randomBytes(16).toString('hex')}.localhost`
  let host = ''
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, host)
    if (refusal !== null) return refuse(response, 403, refusal)
    aim(request, pathname)
    proxy.web(request, response).catch(() => undefined)
  })
  const upgraded = new Set<Socket>()
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    socket.on('error', () => socket.destroy())
    if (refusalOf(request, host) !== null) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    aim(request, pathname)
    proxy.ws(request, socket, {}, head).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  host = `${name}:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url: `http://${host}/`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
      await once(server, 'close')
    },
  }
}

function asMeant(headers: IncomingMessage['headers']): void {
  dropPlatformCookies(headers)
  freeDocument(headers)
}

function aim(request: IncomingMessage, prefix: string): void {
  dropPlatformCookies(request.headers)
  request.url = prefix + (request.url ?? '/').replace(/^\//, '')
}

function refusalOf(request: IncomingMessage, host: string): string | null {
  if (request.headers.host !== host)
    return 'Another name led here; open the address that svc sessions preview printed'
  if (isForeignWrite(request, `http://${host}`))
    return 'A page of another origin may not write here; open the address that svc sessions preview printed'
  return null
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${message}\n`)
}
