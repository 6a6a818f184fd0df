import { once } from 'node:events'
import { createServer } from 'node:http'
import { createApi, type ApiParts } from '../../src/index.ts'
import { type TestPlatform, testPlatform } from './platform.ts'

export interface OAuthPlatform extends TestPlatform {
  readonly origin: string
  /** A second process of the API over the same database, at the same address from outside. */
  another(changes?: Partial<ApiParts>): Promise<{ readonly origin: string; close(): Promise<void> }>
}

/** A platform that knows its own address, as the authorization server must. */
export async function oauthPlatform(changes: Partial<ApiParts> = {}): Promise<OAuthPlatform> {
  const first = await listen()
  const platform = await testPlatform({
    is_proxy: (address) => address === '127.0.0.1',
    settings: {
      api_url: `${first.origin}/v1`,
      llm_base_url: null,
      session_cap: null,
      idle_after_seconds: 900,
      trigger_idle_after_seconds: 300,
      ask_timeout_seconds: 1800,
      issuer_addresses: ['127.0.0.0/8'],
    },
    ...changes,
  })
  first.server.on('request', (req, res) => void platform.api.handle(req, res))
  return {
    ...platform,
    origin: first.origin,
    async another(changes = {}) {
      const { server, origin } = await listen()
      const api = createApi({ ...platform.parts, ...changes })
      server.on('request', (req, res) => void api.handle(req, res))
      return { origin, close: () => end(server) }
    },
    async close() {
      await end(first.server)
      await platform.close()
    },
  }
}

async function listen() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port')
  return { server, origin: `http://127.0.0.1:${address.port}` }
}

async function end(server: ReturnType<typeof createServer>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
