import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { type Authority, authorityOf, authorityText, parseAuthority } from '../../../network/authority.ts'
import { EgressRefusal } from '../../../network/dial.ts'
import { withoutHopByHop } from '../../../network/hop-by-hop.ts'
import { joinSockets } from '../../../network/join-sockets.ts'

/** Connects to a target that the client on this socket may reach; refuses others with an EgressRefusal. */
export type Dial = (socket: Socket, target: Authority) => Promise<Socket>

/** An HTTP proxy without a port of its own: connections are given to it. Its answers say why something is refused. */
export function createHttpProxy(dial: Dial): Server {
  const server = createServer((incoming, response) => {
    forward(dial, incoming, response).catch(() => response.destroy())
  })
  // A large download takes as long as it takes.
  server.requestTimeout = 0
  server.on('connect', (incoming: IncomingMessage, socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!(socket instanceof Socket)) return void socket.destroy()
    tunnel(dial, incoming.url ?? '', socket, head).catch(() => socket.destroy())
  })
  return server
}

async function tunnel(dial: Dial, text: string, socket: Socket, head: Buffer): Promise<void> {
  const target = parseAuthority(text)
  if (target === null) return refuse(socket, 400, 'This is no host and port')
  const upstream = await dial(socket, target).catch((error: unknown) => failureOf(target, error))
  if ('status' in upstream) return refuse(socket, upstream.status, upstream.words)
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) upstream.write(head)
  joinSockets(socket, upstream)
}

async function forward(dial: Dial, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = incoming.url ?? ''
  const target = url.startsWith('http://') ? authorityOf(url) : null
  if (target === null) return answer(response, 400, 'This is a proxy: ask it for whole http:// addresses')
  const { pathname, search } = new URL(url)
  const upstream = await dial(incoming.socket, target).catch((error: unknown) => failureOf(target, error))
  if ('status' in upstream) return answer(response, upstream.status, upstream.words)
  const outgoing = request({
    createConnection: () => upstream,
    method: incoming.method,
    path: pathname + search,
    headers: withoutHopByHop(incoming.headers),
  })
  outgoing.once('response', (answered) => {
    response.writeHead(answered.statusCode ?? 502, withoutHopByHop(answered.headers))
    pipeline(answered, response, () => upstream.destroy())
  })
  pipeline(incoming, outgoing, (error) => {
    if (!error || response.headersSent) return
    answer(response, 502, `${authorityText(target)} does not answer`)
  })
}

interface Failure {
  readonly status: 403 | 502
  readonly words: string
}

function failureOf(target: Authority, error: unknown): Failure {
  return error instanceof EgressRefusal
    ? { status: 403, words: `This sandbox may not reach ${authorityText(target)}: ${error.message}` }
    : { status: 502, words: `${authorityText(target)} does not answer` }
}

function answer(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${words}\n`)
}

function refuse(socket: Socket, status: number, words: string): void {
  const body = `${words}\n`
  const head = ['content-type: text/plain; charset=utf-8', `content-length: ${Buffer.byteLength(body)}`]
  socket.end(`HTTP/1.1 ${status} Refused\r\n${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`)
}
