import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { drainable, type Logger } from '@svc/boot'
import type { FindPlace } from './places/place.ts'
import { createPools } from './pools.ts'
import { type AnswerOwn, createVisits, type VisitsParts } from './visits.ts'

export interface VisitParts {
  readonly log: Logger
  readonly find: FindPlace
  readonly answerOwn?: AnswerOwn | undefined
  /** The scheme that visitors use. */
  readonly scheme?: 'http' | 'https' | undefined
  readonly is_proxy?: VisitsParts['is_proxy']
  readonly wake_ms?: VisitsParts['wake_ms']
  readonly silence_ms?: VisitsParts['silence_ms']
  readonly onAnswer?: VisitsParts['onAnswer']
  readonly onBytes?: VisitsParts['onBytes']
}

export interface RunningAppProxy {
  readonly port: number
  /** Ends requests that run, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

/** Bodies have no limit of size or of time, heads do. */
const limits = {
  headersTimeout: 15_000,
  // How often that is looked at.
  connectionsCheckingInterval: 5_000,
  requestTimeout: 0,
  keepAliveTimeout: 75_000,
  maxHeaderSize: 32 * 1024,
}

/** Time that requests under way have to end. */
const drain_ms = 20_000

/** Listens for visitors of apps. */
export async function serveVisits(
  { log, ...parts }: VisitParts,
  at: { readonly host: string; readonly port: number },
): Promise<RunningAppProxy> {
  const pools = createPools()
  const visits = createVisits({ ...parts, pools })
  const upgraded = new Set<Duplex>()
  const failed = (connection: { destroy(): unknown }) => (error: unknown) => {
    log.error({ err: error }, 'A visit of an app failed')
    connection.destroy()
  }
  const server = createServer(limits, (request, response) => {
    visits.request(request, response).catch(failed(response))
  })
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    visits.upgrade(request, socket, head).catch(failed(socket))
  })
  const drain = drainable(server)
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const { port } = Object(server.address())
  return {
    port,
    close: async (force) => {
      for (const socket of upgraded) socket.destroy()
      await drain(drain_ms, force)
      await pools.destroy()
    },
  }
}
