import type { ServerResponse } from 'node:http'

/**
 * The head of an answer leaves with the event that is there already: in one packet, by one call of the system. It leaves
 * with that event's write: what the rest of a short answer asks of this process, its end in the database, comes after.
 */
export function sendTogether(res: ServerResponse): void {
  const flushHeaders = res.flushHeaders.bind(res)
  res.flushHeaders = () => {
    let isHeld = true
    const leave = () => {
      if (isHeld) res.uncork()
      isHeld = false
    }
    res.cork()
    flushHeaders()
    const { write } = res
    res.write = (...chunk: [unknown]) => {
      res.write = write
      const isReady = Boolean(Reflect.apply(write, res, chunk))
      leave()
      return isReady
    }
    process.nextTick(leave)
  }
}
