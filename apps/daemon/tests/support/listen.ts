import type { Server } from 'node:http'
import { once } from 'node:events'

/** Listens on any free port of `host`; `close` also ends the connections that are still open. */
export async function listen(
  server: Server,
  host: string,
): Promise<{ port: number; close(): Promise<void> }> {
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    close: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
