import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { withoutHopByHop } from '../../../network/hop-by-hop.ts'
import { joinSockets } from '../../../network/join-sockets.ts'
import type { Address } from './fetch-boot.ts'
import { openTunnel } from './tunnel.ts'

/** The HTTP proxy of this sandbox: programs ask it for the internet, the platform decides. */
export async function openProxy(relay: string, at: Address): Promise<void> {
  const server = createServer((incoming, response) => {
    forward(relay, incoming, response).catch((error: unknown) => refuse(response, error))
  })
  server.on('connect', (incoming, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined)
    const url = parse(`http://${incoming.url ?? ''}`)
    const port = Number(url?.port === '' ? 443 : url?.port)
    openTunnel(relay, hostOf(url), port).then(
      (tunnel) => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        if (head.length > 0) tunnel.write(head)
        joinSockets(socket, tunnel)
      },
      (error: unknown) => socket.end(`HTTP/1.1 403 Forbidden\r\n\r\n${messageOf(error)}\n`),
    )
  })
  server.requestTimeout = 0
  server.listen(at.port, at.address)
  await once(server, 'listening')
  server.unref()
}

async function forward(relay: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = parse(incoming.url ?? '')
  if (url === null || url.protocol !== 'http:') throw new Error('this is a proxy')
  const tunnel = await openTunnel(relay, hostOf(url), url.port === '' ? 80 : Number(url.port))
  const outgoing = request({
    createConnection: () => tunnel,
    method: incoming.method,
    path: url.pathname + url.search,
    headers: { ...withoutHopByHop(incoming.headers), host: url.host, connection: 'close' },
  })
  outgoing.on('error', (error) => refuse(response, error))
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, withoutHopByHop(answer.headers))
    answer.on('error', () => response.destroy())
    answer.pipe(response)
  })
  response.on('close', () => tunnel.destroy())
  incoming.pipe(outgoing)
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(403, { 'content-type': 'text/plain' })
  response.end(`${messageOf(error)}\n`)
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function hostOf(url: URL | null): string {
  return url?.hostname.replace(/^\[|\]$/g, '') ?? ''
}

function messageOf(error: unknown): string {
  return `The sandbox’s proxy refuses: ${error instanceof Error ? error.message : String(error)}`
}
