import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { type Authority, authorityOf, authorityText, parseAuthority } from './authority.ts'
import { EgressRefusal } from './egress-refusal.ts'
import { withoutHopByHop } from './hop-by-hop.ts'
import { joinSockets } from './join-sockets.ts'

/** Connects to a target that this client may reach; refuses others with an EgressRefusal. */
export type Dial = (client: Duplex, target: Authority) => Promise<Socket>

/**
 * The HTTP proxy of sandboxes, for CONNECT and for whole http:// addresses; its answers say why something is refused.
 * Every request is dialled anew, so that each target is judged. It listens, or is given connections by a relay.
 */
export function createHttpProxy(dial: Dial): Server {
  const server = createServer((incoming, response) => {
    forward(dial, incoming, response).catch(() => response.destroy())
  })
  // A large download takes as long as it takes.
  server.requestTimeout = 0
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy())
    tunnel(dial, incoming.url ?? '', client, head).catch(() => client.destroy())
  })
  return server
}

async function tunnel(dial: Dial, text: string, client: Duplex, head: Buffer): Promise<void> {
  const target = parseAuthority(text)
  if (target === null) return refuse(client, { status: 400, words: 'This is no host and port' })
  const upstream = await dial(client, target).catch((error: unknown) => failureOf(target, error))
  if ('status' in upstream) return refuse(client, upstream)
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) upstream.write(head)
  joinSockets(client, upstream)
}

async function forward(dial: Dial, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = incoming.url ?? ''
  const target = text.startsWith('http://') ? authorityOf(text) : null
  if (target === null)
    return answer(response, { status: 400, words: 'This is a proxy: ask it for whole http:// addresses' })
  const upstream = await dial(incoming.socket, target).catch((error: unknown) => failureOf(target, error))
  if ('status' in upstream) return answer(response, upstream)
  if (response.destroyed) return void upstream.destroy()
  response.once('close', () => upstream.destroy())
  const { host, pathname, search } = new URL(text)
  const outgoing = request({
    createConnection: () => upstream,
    method: incoming.method,
    path: pathname + search,
    headers: { ...withoutHopByHop(incoming.headers), host, connection: 'close' },
  })
  outgoing.once('response', (answered) => passOn(answered, response, target))
  // An end without an answer comes by an error, or without one.
  outgoing.on('error', () => undefined).once('close', () => giveUp(response, target))
  incoming.pipe(outgoing)
}

function passOn(answered: IncomingMessage, response: ServerResponse, target: Authority): void {
  const { statusCode = 0 } = answered
  // A status that no server may send would be thrown at this whole process.
  if (statusCode < 100) return giveUp(response, target)
  response.writeHead(statusCode, withoutHopByHop(answered.headers))
  pipeline(answered, response, () => undefined)
}

function giveUp(response: ServerResponse, target: Authority): void {
  if (!response.headersSent) answer(response, unanswered(target))
}

interface Failure {
  readonly status: 400 | 403 | 502
  readonly words: string
}

function failureOf(target: Authority, error: unknown): Failure {
  if (!(error instanceof EgressRefusal)) return unanswered(target)
  return { status: 403, words: `This sandbox may not reach ${authorityText(target)}: ${error.message}` }
}

function unanswered(target: Authority): Failure {
  return { status: 502, words: `${authorityText(target)} does not answer` }
}

const textType = 'text/plain; charset=utf-8'

function answer(response: ServerResponse, { status, words }: Failure): void {
  response.writeHead(status, { 'content-type': textType })
  response.end(`${words}\n`)
}

function refuse(client: Duplex, { status, words }: Failure): void {
  const body = `${words}\n`
  const head = [`content-type: ${textType}`, `content-length: ${Buffer.byteLength(body)}`]
  client.end(`HTTP/1.1 ${status} Refused\r\n${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`)
}
