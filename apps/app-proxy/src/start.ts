import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Logger } from '@svc/boot'
import type { Db } from '@svc/db'

export interface AppProxyParts {
  readonly db: Db
  readonly log: Logger
}

export interface RunningAppProxy {
  readonly port: number
  /** Ends requests that run, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

/** Listens for visitors of apps. */
export async function startAppProxy(
  _parts: AppProxyParts,
  at: { readonly host: string; readonly port: number },
): Promise<RunningAppProxy> {
  const server = createServer((_request, response) => {
    response
      .writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
      .end('No app is at this address.\n')
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const { port } = Object(server.address())
  return {
    port,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
