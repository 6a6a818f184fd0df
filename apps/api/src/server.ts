import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { once } from 'node:events'
import { drainable } from '@svc/boot'
import { createApi } from './api.ts'
import { knownMethod } from './door/known-method.ts'
import { linger } from './linger.ts'
import type { ApiParts } from './parts.ts'

export interface ListenOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Time that running requests may take once the server closes. */
  readonly drain_ms?: number
}

export interface RunningApi {
  readonly host: string
  readonly port: number
  /** Takes no more requests, ends event streams, waits a while for the rest, which `force` cuts. */
  close(force?: AbortSignal): Promise<void>
}

const defaultDrainMs = 8_000

export async function startApi(
  parts: ApiParts,
  { host, port, drain_ms = defaultDrainMs }: ListenOptions,
): Promise<RunningApi> {
  const api = createApi(parts)
  const sockets = new Set<Duplex>()
  const server = createServer(serverOptions, (req: IncomingMessage, res: ServerResponse) => {
    linger(req, res)
    countInFlight(parts, req, res)
    void api.handle(req, res)
  })
  const drain = drainable(server)
  server.on('upgrade', (req, socket, head) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    void api.upgrade(req, socket, head)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return {
    host,
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close(force) {
      api.endStreams()
      for (const socket of sockets) socket.destroy()
      await drain(drain_ms, force)
    },
  }
}

function countInFlight({ metrics }: ApiParts, { method }: IncomingMessage, res: ServerResponse): void {
  const labels = { method: knownMethod(method) }
  metrics.add('svc_http_requests_in_flight', labels, 1)
  res.once('close', () => metrics.add('svc_http_requests_in_flight', labels, -1))
}

/** A push or an upload may take long; only headers are awaited with a bound, and what follows the answer. Balancers keep connections for a minute. */
const serverOptions = { requestTimeout: 0, headersTimeout: 15_000, keepAliveTimeout: 75_000 }
