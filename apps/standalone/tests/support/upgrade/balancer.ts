import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { portOf } from '../platform/ports.ts'

export interface Backend {
  readonly name: string
  /** This machine when it is not named. */
  readonly host?: string
  readonly port: number
  /** Its internal address, where `/readyz` is; null where it is ready as long as it is here. */
  readonly internal: string | null
}

/** A request that was not answered well, whoever sent it. */
export interface FailedRequest {
  readonly backend: string
  readonly request: string
  readonly failure: string
}

export interface Balancer {
  readonly port: number
  readonly failed: readonly FailedRequest[]
  readonly asked: () => number
  /** Requests without a whole answer yet: at which process, and for how long. */
  open(): readonly string[]
  /** Sends requests to it, from the moment at which it is ready on. */
  add(backend: Backend): void
  remove(name: string): void
  close(): Promise<void>
}

const lookMs = 200

/** Sends each request to the next process that is ready, on a connection of its own, and counts what becomes of it. */
export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, Backend>()
  const ready = new Set<string>()
  const failed: FailedRequest[] = []
  const open = new Map<ServerResponse, { readonly at: string; readonly since: number }>()
  let asked = 0

  const look = async ({ name, internal }: Backend) => {
    if (internal === null) return void ready.add(name)
    try {
      const { ok } = await fetch(`${internal}/readyz`, { signal: AbortSignal.timeout(5_000) })
      if (ok && backends.has(name)) ready.add(name)
      else ready.delete(name)
    } catch (error) {
      // An answer that is late says nothing; one that cannot be had does.
      if (!(error instanceof Error && error.name === 'TimeoutError')) ready.delete(name)
    }
  }
  const looking = setInterval(() => void Promise.all([...backends.values()].map(look)), lookMs)

  const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    asked += 1
    const able = [...backends.values()].filter(({ name }) => ready.has(name))
    const backend = able[asked % able.length]
    const asks = `${incoming.method} ${incoming.url?.replace(/\?.*/, '')}`
    const fail = (failure: string) =>
      failed.push({ backend: backend?.name ?? 'none', request: asks, failure })
    if (backend === undefined) {
      fail('no process is ready')
      outgoing.writeHead(503, { 'retry-after': '1' }).end()
      return
    }
    open.set(outgoing, { at: `${asks} at ${backend.name}`, since: Date.now() })
    let ended = false
    /** A client never waits for the rest of an answer that does not come. */
    const cut = (failure: string) => {
      if (!ended) fail(failure)
      ended = true
      outgoing.destroy()
    }
    const { method, url: path, headers } = incoming
    const asking = request(
      { host: backend.host ?? '127.0.0.1', port: backend.port, agent: false, method, path, headers },
      (answer) => {
        const { statusCode = 0 } = answer
        if (statusCode >= 500) fail(String(statusCode))
        outgoing.writeHead(statusCode, answer.headers).flushHeaders()
        answer.on('error', (error) => cut(`cut off: ${error.message}`))
        answer.pipe(outgoing)
      },
    )
    asking.on('error', (error) => cut(error.message))
    outgoing.on('close', () => {
      open.delete(outgoing)
      ended = true
      if (!outgoing.writableFinished) asking.destroy()
    })
    incoming.pipe(asking)
  }

  // A connection that its server ends just as the next request comes on it would count as a failure of the platform.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 3_600_000 }, serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    failed,
    asked: () => asked,
    open: () => [...open.values()].map(({ at, since }) => `${at} for ${(Date.now() - since) / 1_000} s`),
    add: (backend) => void backends.set(backend.name, backend),
    remove(name) {
      backends.delete(name)
      ready.delete(name)
    },
    async close() {
      clearInterval(looking)
      server.close()
      server.closeAllConnections()
    },
  }
}
