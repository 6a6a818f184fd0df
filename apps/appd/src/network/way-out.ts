import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { apiWait } from '@svc/facts'
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
    dialRelay(folder).then(
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

function dialRelay(folder: string): Promise<Socket> {
  return whileAway(apiWait.sandbox_seconds * 1_000, async () => {
    for (const name of await readdir(folder)) {
      const socket = await dial(join(folder, name)).catch(() => null)
      if (socket !== null) return socket
    }
    throw new Error('No process of the platform is there to pass anything on')
  })
}

function dial(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen: true })
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}
