import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { drainable } from '@svc/boot'
import { createGateway, type GatewayParts } from './app.ts'

export interface RunningGateway {
  readonly port: number
  close(force?: AbortSignal): Promise<void>
}

const drainMs = 8_000

/** The gateway on a port of its own. A completion may take minutes, so that closing waits only a while. */
export async function startGateway(
  parts: GatewayParts,
  at: { host: string; port: number },
): Promise<RunningGateway> {
  const listener = getRequestListener(createGateway(parts).fetch, { overrideGlobalObjects: false })
  const server = createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 15_000 },
    (req, res) => void listener(req, res),
  )
  const drain = drainable(server)
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : at.port,
    close: (force) => drain(drainMs, force),
  }
}
