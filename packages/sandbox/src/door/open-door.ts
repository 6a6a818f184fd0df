import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { noUpgrade } from '@svc/timing'
import { connectDaemon } from '../connect-daemon.ts'
import { joinSockets } from '../network/join-sockets.ts'
import type { SandboxEndpoint } from '../provider.ts'
import { isKeyOf, keyOfSandbox } from './door-key.ts'

const [ofSandbox, ofKey] = ['x-svc-sandbox', 'x-svc-sandbox-key'] as const

export interface DoorOptions {
  /** The host by which others reach it; its certificate is for this name. */
  readonly hostname: string
  /** 0 for one that is free. */
  readonly port: number
  readonly listen_host?: string
  readonly tls: { readonly key: string; readonly cert: string }
  /** The keys of all sandboxes are made from it: the same for as long as their endpoints are known. */
  readonly secret: Buffer
  /** The endpoint that a sandbox has on this machine; null where there is none. */
  readonly inside: (external_id: string) => Promise<SandboxEndpoint | null>
  /** A request without the key of its sandbox, which reached none. */
  readonly onRefused?: (path: string) => void
}

/** The way from other machines to the sandboxes of this one: https, with a key for each. */
export interface SandboxDoor {
  outside(external_id: string): SandboxEndpoint
  close(): Promise<void>
}

export async function openDoor(options: DoorOptions): Promise<SandboxDoor> {
  const { hostname, tls, secret, inside, onRefused } = options
  const server = createServer(tls, (incoming, response) => {
    answer(incoming, response).catch(() => response.destroy())
  })
  // A repository and a stream of events take as long as they take.
  server.requestTimeout = 0
  // The sandbox itself says whether a body is to come.
  server.on('checkContinue', (incoming, response) => server.emit('request', incoming, response))
  server.on('upgrade', (incoming, socket, head) => {
    upgrade(incoming, socket, head).catch(() => socket.destroy())
  })
  server.listen(options.port, options.listen_host)
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  const [certificate, host] = [
    new X509Certificate(tls.cert),
    hostname.includes(':') ? `[${hostname}]` : hostname,
  ]
  const own = certificate.checkIssued(certificate) ? { ca: tls.cert } : {}

  async function find({ headers, url = '' }: IncomingMessage): Promise<SandboxEndpoint | 401 | 404 | 502> {
    const { [ofSandbox]: external_id, [ofKey]: key } = headers
    if (typeof external_id !== 'string' || typeof key !== 'string' || !isKeyOf(secret, external_id, key)) {
      onRefused?.(url.replace(/\?.*$/, ''))
      return 401
    }
    return inside(external_id).then(
      (endpoint) => endpoint ?? 404,
      () => 502,
    )
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = await find(incoming)
    if (typeof endpoint === 'number') return void response.writeHead(endpoint).end()
    const onward = noUpgrade(ask(incoming, endpoint))
    const fail = () => response.destroy()
    onward.on('continue', () => response.writeContinue())
    onward.on('error', fail)
    onward.on('response', (said) => {
      const { statusCode: status = 0 } = said
      // Node throws at a status that no server may send, where nothing catches it.
      if (status < 100) return fail()
      response.writeHead(status, said.headers).flushHeaders()
      pipeline(said, response, () => undefined)
    })
    response.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }

  async function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy())
    const endpoint = await find(incoming)
    if (typeof endpoint === 'number') return void socket.end(`HTTP/1.1 ${endpoint} Refused\r\n\r\n`)
    const onward = ask(incoming, endpoint).on('error', () => socket.destroy())
    onward.on('response', () => socket.destroy())
    onward.on('upgrade', (said, other, first) => {
      // Either side may have written more already.
      socket.unshift(head)
      other.unshift(first)
      const lines = Object.entries(said.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      joinSockets(socket, other)
    })
    onward.end()
  }

  return {
    outside: (external_id) => ({
      url: `https://${host}:${port}`,
      headers: { [ofSandbox]: external_id, [ofKey]: keyOfSandbox(secret, external_id) },
      ...own,
    }),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function ask(incoming: IncomingMessage, endpoint: SandboxEndpoint) {
  const { request, place, headers } = connectDaemon(endpoint)
  const { [ofSandbox]: _, [ofKey]: __, ...others } = incoming.headers
  const { method, url } = incoming
  return request({
    ...place,
    method,
    path: url,
    headers: { ...others, host: 'sandbox', ...headers },
    agent: false,
  })
}
