import { once } from 'node:events'
import { createServer } from 'node:net'
import { joinSockets } from '../../../network/join-sockets.ts'
import type { Address } from './fetch-boot.ts'
import { openTunnel } from './tunnel.ts'

/** A socket of this sandbox that stands for one of another machine. */
export async function openForward(
  relay: string,
  forward: Address & { readonly host: string },
  wait_ms: number,
): Promise<void> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined)
    openTunnel(relay, forward, wait_ms).then(
      (tunnel) => joinSockets(socket, tunnel),
      () => socket.destroy(),
    )
  })
  server.listen({ host: forward.address, port: forward.port })
  await once(server, 'listening')
  server.unref()
}
