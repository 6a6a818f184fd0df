import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { namesProxy } from '@svc/facts'
import type { DaemonEnv } from '../env.ts'
import { whileAway } from '@svc/timing'
import { pass } from './forward.ts'

export interface RetryingProxy {
  /** The URL that git's settings name. */
  readonly url: string
  readonly port: number
  close(): void
}

type ProxyEnv = Pick<DaemonEnv, 'api_url' | 'api_wait_ms' | 'repo_url' | 'relay' | 'runtime' | 'inherited'>

/**
 * A SOCKS proxy whose one destination is the platform's own origin: git gives up at the first refused connection, and
 * through this proxy it waits for a platform that starts anew. Null where a relay stands between, which waits itself, and for
 * repositories that are elsewhere.
 */
export async function openRetryingProxy(env: ProxyEnv): Promise<RetryingProxy | null> {
  const { api_url, api_wait_ms, repo_url, relay, runtime, inherited } = env
  if (relay !== null || namesProxy(inherited) || !repo_url.startsWith(`${api_url}/git/`)) return null
  const { hostname, port, protocol } = new URL(api_url)
  const platform = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    serve(socket, platform, api_wait_ms).catch(() => socket.destroy())
  })
  server.listen(0, runtime.host)
  await once(server, 'listening')
  server.unref()
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `socks5h://${runtime.host}:${own}`, port: own, close: () => void server.close() }
}

const version = 5
const greetingMs = 10_000
const connected = Buffer.from([version, 0, 0, 1, 0, 0, 0, 0, 0, 0])

/** RFC 1928, as far as a client without a credential goes; wherever it wants to go, it comes to the platform. */
async function serve(
  socket: Socket,
  platform: { host: string; port: number },
  wait_ms: number,
): Promise<void> {
  socket.setTimeout(greetingMs, () => socket.destroy())
  const [methods = 0] = (await read(socket, 2)).subarray(1)
  await read(socket, methods)
  socket.write(Buffer.from([version, 0]))
  const [, command, , kind] = await read(socket, 4)
  const [length = 0] = kind === 3 ? await read(socket, 1) : [kind === 4 ? 16 : 4]
  await read(socket, length + 2)
  if (command !== 1) return void socket.destroy()
  socket.setTimeout(0)
  const upstream = await whileAway(
    wait_ms,
    () => dial(platform),
    () => !socket.destroyed,
  )
  socket.write(connected)
  pass(socket, upstream)
  pass(upstream, socket)
}

async function read(socket: Socket, bytes: number): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0)
  for (;;) {
    const chunk: unknown = socket.read(bytes)
    if (Buffer.isBuffer(chunk) && chunk.length === bytes) return chunk
    await once(socket, 'readable')
  }
}

function dial(to: { host: string; port: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...to, allowHalfOpen: true })
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}
