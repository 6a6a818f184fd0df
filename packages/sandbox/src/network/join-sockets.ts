import type { Duplex } from 'node:stream'

/** Pipes each socket into the other until both have ended or one has failed, which may have happened by now. */
export function joinSockets(one: Duplex, other: Duplex): void {
  if (one.destroyed || other.destroyed) {
    one.destroy()
    other.destroy()
    return
  }
  joinOneWay(one, other)
  joinOneWay(other, one)
}

function joinOneWay(from: Duplex, to: Duplex): void {
  from.on('error', () => to.destroy())
  from.on('close', () => {
    // A socket that was cut off takes the other along; one that ended well is still written out to a slow reader.
    if (!from.readableEnded || to.writableFinished) to.destroy()
    else to.once('finish', () => to.destroy())
  })
  from.pipe(to)
}
