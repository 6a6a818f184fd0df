import { connect } from 'node:net'
import { joinSockets } from '../../../network/join-sockets.ts'
import type { Address } from './fetch-boot.ts'

/** Callers that may arrive at once without waiting for a new connection to be made. */
const readyConnections = 8
const retryMs = 200

/** Holds connections ready, over which the platform calls the daemon, until the signal. */
export function openInward(relay: string, daemon: Address, until?: AbortSignal): void {
  for (let count = 0; count < readyConnections; count += 1) hold(relay, daemon, until)
}

function hold(relay: string, daemon: Address, until?: AbortSignal): void {
  if (until?.aborted) return
  const socket = connect({ path: relay, allowHalfOpen: true })
  let used = false
  socket.on('error', () => undefined)
  socket.once('readable', () => {
    // An end without a word is a platform that went away.
    if (socket.readableLength === 0) return void socket.destroy()
    used = true
    hold(relay, daemon, until)
    const target = connect({ host: daemon.address, port: daemon.port, allowHalfOpen: true })
    joinSockets(socket, target)
  })
  socket.once('close', () => {
    if (!used) setTimeout(() => hold(relay, daemon, until), retryMs).unref()
  })
  socket.write('in\n')
}
