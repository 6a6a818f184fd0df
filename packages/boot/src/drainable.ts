import type { Server } from 'node:http'

/**
 * Closes a server whose clients keep connections open, some of which never carry a request: it takes no new ones, lets
 * the requests that run end within `limit_ms`, and closes every connection as soon as none runs.
 */
export function drainable(server: Server): (limit_ms: number) => Promise<void> {
  let running = 0
  let closing = false
  server.prependListener('request', (_req, res) => {
    running += 1
    if (closing) res.shouldKeepAlive = false
    res.once('close', () => {
      running -= 1
      if (closing && running === 0) server.closeAllConnections()
    })
  })
  return async (limit_ms) => {
    closing = true
    const closed = new Promise((resolve) => server.close(resolve))
    const late = setTimeout(() => server.closeAllConnections(), limit_ms)
    if (running === 0) server.closeAllConnections()
    await closed
    clearTimeout(late)
  }
}
