import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../log.ts'
import { refusal, sendJson } from './answers.ts'

export interface ListenAt {
  readonly host: string
  readonly port: number
  readonly fd: number | undefined
}

/** Answers the requests of a server. */
export interface Host {
  readonly answer: (...request: Parameters<RequestListener>) => unknown
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => Promise<void>
}

/** The server on the daemon's one port. A request that comes while no host answers waits for the next. */
export interface DaemonServer {
  readonly servers: readonly Server[]
  /** Answers one path apart from the host, until the function that it gives is called. */
  expect(path: string, answer: Host['answer']): () => void
  /** Sets who answers from now on; with null requests wait for the next. */
  give(host: Host | null): void
}

/** An inherited socket answers the same as the port, for a platform that cannot reach the port. */
export async function openDaemonServer({ host, port, fd }: ListenAt, log: Log): Promise<DaemonServer> {
  let current: Host | null = null
  let waiting: ((host: Host) => void)[] = []
  const expected = new Map<string, Host['answer']>()
  const hosts = (): Promise<Host> | Host => current ?? new Promise((resolve) => waiting.push(resolve))

  const pass = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    try {
      const own = expected.get(request.url ?? '')
      await (own ?? (await hosts()).answer)(request, response)
    } catch (error) {
      log.error('a request failed', { error })
      sendJson(response, 500, refusal(500, 'The daemon failed'))
    }
  }
  const answer: RequestListener = (request, response) => void pass(request, response)
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (!(socket instanceof Socket)) return void socket.destroy()
    try {
      await (await hosts()).upgrade(request, socket, head)
    } catch (error) {
      log.error('an upgrade failed', { error })
      socket.destroy()
    }
  }
  const places: readonly object[] = fd === undefined ? [{ host, port }] : [{ fd }, { host, port }]
  const servers = await Promise.all(
    places.map(async (place) => {
      // A stream or an upload of the agent's programs may take as long as it likes.
      const server = createServer({ requestTimeout: 0 }, answer).on('upgrade', upgrade).listen(place)
      await once(server, 'listening')
      return server
    }),
  )
  return {
    servers,
    expect: (path, answer) => {
      expected.set(path, answer)
      return () => void expected.delete(path)
    },
    give: (host) => {
      current = host
      if (host === null) return
      for (const go of waiting) go(host)
      waiting = []
    },
  }
}
