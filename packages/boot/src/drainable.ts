import type { Server } from 'node:http'

/**
 * Closes a server whose clients keep connections open, some of which never carry a request: it takes no new ones, lets
 * the requests that run end within `limit_ms` or until `force`, and closes every connection as soon as none runs.
 */
export function drainable(server: Server): (limit_ms: number, force?: AbortSignal) => Promise<void> {
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
  return async (limit_ms, force) => {
    closing = true
    const closed = new Promise((resolve) => server.close(resolve))
    const cut = () => server.closeAllConnections()
    const late = setTimeout(cut, limit_ms)
    force?.addEventListener('abort', cut)
    if (running === 0 || force?.aborted) cut()
    await closed
    clearTimeout(late)
    force?.removeEventListener('abort', cut)
  }
}
