import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

/** A real OpenID provider on a socket of its own. */
export async function startOpenIdProvider(): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The provider has no port')
  const origin = `http://127.0.0.1:${address.port}`
  const answer = new Provider(origin, { cookies: { keys: [randomBytes(16).toString('hex')] } }).callback()
  server.on('request', (request, response) => void answer(request, response))
  return {
    origin,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
