import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { portOf } from './ports.ts'

export interface Forward {
  readonly port: number
  close(): Promise<void>
}

/** A port of every address of this machine that leads to a server which listens elsewhere. */
export async function forwardTo(place: NetConnectOpts): Promise<Forward> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const target = connect(place)
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    socket.pipe(target).pipe(socket)
  })
  server.listen(0)
  await once(server, 'listening')
  return {
    port: portOf(server),
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
