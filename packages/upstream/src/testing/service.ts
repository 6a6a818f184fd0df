import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll } from 'vitest'

/** A service on this machine for the tests of a file, with its address once they run. */
export function serve(listener: RequestListener) {
  const service = { url: '', requests: 0 }
  const server = createServer((req, res) => {
    service.requests++
    listener(req, res)
  })
  // Tests that compute for long share their event loop with it: it must not hang up meanwhile.
  server.keepAliveTimeout = 600_000
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    service.url = `http://127.0.0.1:${Object(server.address()).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return service
}
