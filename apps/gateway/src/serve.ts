import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { drainable } from '@svc/boot'
import { openGateway } from './app.ts'
import type { GatewayParts } from './gateway-core.ts'
import { sendTogether } from './send-together.ts'

export interface RunningGateway {
  readonly port: number
  close(force?: AbortSignal): Promise<void>
}

const drainMs = 8_000
/** Time for the last events of calls that were ended. */
const endMs = 1_500

/**
 * The gateway on a port of its own. A completion may take minutes: what still streams after the drain is ended in the
 * words of its dialect, and settled.
 */
export async function startGateway(
  parts: GatewayParts,
  at: { host: string; port: number },
): Promise<RunningGateway> {
  const gateway = openGateway(parts)
  const listener = getRequestListener(gateway.app.fetch, { overrideGlobalObjects: false })
  const server = createServer({ keepAliveTimeout: 75_000, headersTimeout: 15_000 }, (req, res) => {
    sendTogether(res)
    void listener(req, res)
  })
  const drain = drainable(server)
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : at.port,
    async close(force) {
      const late = setTimeout(() => gateway.endCalls(), drainMs)
      await drain(drainMs + endMs, force)
      clearTimeout(late)
      await gateway.close()
    },
  }
}
