import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createProxyServer, type ProxyServerOptions } from 'httpxy'
import { type Access, type Authenticate, credentialsOf, mayDrive } from '../access/authenticate.ts'
import { refusal, sendJson } from '../serving/answers.ts'
import type { RunningRuntime } from '../runtimes/runtime.ts'
import type { IsOurs } from './own-sockets.ts'
import { findListener, parsePortPath } from './ports.ts'
import { stripContext, stripContextQuery } from './strip-context.ts'

interface Target {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly authorization?: string
}
interface Refused {
  readonly status: number
  readonly body: object
  readonly retry?: boolean
}
type Routed = { readonly to: Target } | { readonly refused: Refused }

export interface ReverseProxy {
  web(request: IncomingMessage, response: ServerResponse): Promise<void>
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void>
}

const sshPort = 22
const noServer =
  'The agent runtime of this session has no server of its own; use the routes under /svc/runtime instead'
const noAnswer = refusal(
  502,
  'The program behind this port did not answer; look whether it still runs, and try again',
  'sandbox_unreachable',
)

/** `/proxy/{port}/*` to a program in the sandbox, everything else to the agent runtime; both only for a signed user. */
export function createReverseProxy(parts: {
  readonly authenticate: Authenticate
  readonly hosts: readonly string[]
  readonly isOurs: IsOurs
  /** The ports that the daemon itself listens on. */
  readonly own_ports: readonly number[]
  /** Never proxied as a port: what comes to the runtime goes through the rules below. */
  readonly runtime_port: number
  /** Null while it starts. */
  readonly runtime: () => Pick<RunningRuntime, 'http'> | null
}): ReverseProxy {
  const blocked = new Set([sshPort, ...parts.own_ports, parts.runtime_port])
  const proxy = createProxyServer({})
  proxy.on('error', (_error, request, response) => {
    if (!response || !request) return
    if ('writeHead' in response) sendJson(response, 502, noAnswer)
    else endSocket(response, { status: 502, body: noAnswer })
  })

  // A program that changes the protocol unasked would be waited for for ever.
  proxy.on('proxyReq', (upstream, _request, response) => {
    upstream.once('upgrade', (_answer, socket) => {
      socket.destroy()
      sendJson(response, 502, noAnswer)
    })
  })

  // Node throws at a status that no server may send, where nothing catches it.
  proxy.on('proxyRes', (answered, _request, response) => {
    if ((answered.statusCode ?? 0) < 100) sendJson(response, 502, noAnswer)
  })

  async function route(request: IncomingMessage): Promise<Routed> {
    const url = request.url ?? '/'
    const query = new URLSearchParams(url.split('?')[1] ?? '')
    const header = (name: string): string | undefined => first(request.headers[name])
    const access = parts.authenticate(credentialsOf(header, query), 'user')
    if (!access.ok) return { refused: access }
    const wanted = parsePortPath(stripContextQuery(url))
    if (wanted === 'invalid') return refused(400, 'This is no port: give a number from 1 to 65535')
    return wanted === null ? toRuntime(access, stripContextQuery(url)) : toPort(wanted.port, wanted.path)
  }

  function toRuntime(access: Access & { ok: true }, path: string): Routed {
    if (!mayDrive(access.caller))
      return refused(
        403,
        'Only the owner of the session or a manager of the project may do this; ask one of them',
        'forbidden',
      )
    const running = parts.runtime()
    if (running === null) {
      const { refused: answer } = refused(
        503,
        'The agent runtime is starting; try again in a moment',
        'runtime_starting',
      )
      return { refused: { ...answer, retry: true } }
    }
    if (running.http === undefined) return refused(404, noServer, 'runtime_has_no_server')
    return { to: { ...running.http, path } }
  }

  async function toPort(port: number, path: string): Promise<Routed> {
    if (blocked.has(port))
      return refused(
        403,
        `Port ${port} is never proxied; let the program listen on another port`,
        'port_blocked',
      )
    const host = await findListener(parts.hosts, port, parts.isOurs)
    if (host === null)
      return refused(
        502,
        `Nothing listens on port ${port}; start the program in the sandbox first`,
        'nothing_listens',
      )
    return { to: { host, port, path } }
  }

  function aim(request: IncomingMessage, target: Target): ProxyServerOptions {
    stripContext(request.headers)
    request.url = target.path
    if (target.authorization !== undefined) request.headers.authorization = target.authorization
    // A connection for each request: one kept open would die with a program that restarts.
    return {
      target: { protocol: 'http:', hostname: target.host, port: target.port },
      changeOrigin: true,
      agent: false,
      // The platform says whom it forwards for; its own unix socket has no address to add.
      xfwd: request.socket.remoteAddress !== undefined,
    }
  }

  return {
    web: async (request, response) => {
      const routed = await route(request)
      if ('refused' in routed) {
        const { status, body, retry } = routed.refused
        return sendJson(response, status, body, retry ? { 'retry-after': '2' } : {})
      }
      await proxy.web(request, response, aim(request, routed.to)).catch(() => undefined)
    },
    upgrade: async (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      const routed = await route(request)
      if ('refused' in routed) return endSocket(socket, routed.refused)
      await proxy.ws(request, socket, aim(request, routed.to), head).catch(() => undefined)
    },
  }
}

function refused(status: number, message: string, code?: string): { readonly refused: Refused } {
  return { refused: { status, body: refusal(status, message, code) } }
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

/** An upgrade that is refused is answered like any request, by hand. */
function endSocket(socket: Socket, { status, body, retry }: Refused): void {
  if (!socket.writable) return
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
    ...(retry ? ['retry-after: 2'] : []),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
