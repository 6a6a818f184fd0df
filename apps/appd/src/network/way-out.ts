import { once } from 'node:events'
import { createServer } from 'node:net'
import { apiWait } from '@svc/facts'
import { connectInFolder } from '@svc/files'
import { joinSockets } from '@svc/sandbox/guest'
import { whileAway } from '@svc/timing'

/** The proxy of a sandbox with a network of its own, which passes everything on to a relay of the platform. */
export interface WayOut {
  /** The relays of the platform's processes, a socket each; the ones of ended processes refuse. */
  readonly folder: string
  readonly sandbox_id: string
  readonly host: string
  readonly port: number
}

export async function openWayOut({ folder, sandbox_id, host, port }: WayOut): Promise<void> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    whileAway(apiWait.sandbox_seconds * 1_000, () => connectInFolder(folder)).then(
      (relay) => {
        relay.write(`${sandbox_id} proxy\n`)
        joinSockets(socket, relay)
      },
      () => socket.destroy(),
    )
  })
  server.listen({ host, port })
  await once(server, 'listening')
  server.unref()
}
