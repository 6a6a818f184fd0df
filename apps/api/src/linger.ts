import type { IncomingMessage, ServerResponse } from 'node:http'

const lingerMs = 2_000

/**
 * The rest of a body is read, once its request is answered, a little longer, since a connection that is cut at once
 * takes the answer with it; and no longer than that, since a body may drip for ever.
 */
export function linger(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (req.complete) return
    const timer = setTimeout(() => req.destroy(), lingerMs)
    req.once('close', () => clearTimeout(timer))
  })
}
