import { connect } from 'node:net'
import { joinSockets } from '../../../network/join-sockets.ts'
import type { Address } from './fetch-boot.ts'

export interface ReadyConnection {
  /** The socket at which it waits. */
  readonly path: string
  /** The address that its first byte leads to. */
  readonly target: Address
  readonly retryMs: number
  /** The first words that it says itself. */
  readonly greeting?: string
  /** Asked before each connection: whether there is to be another. */
  wanted(): boolean
}

/** Holds a connection at a socket. Its first byte takes it, and another is made in its place; one that ends is made again. */
export function holdReady(ready: ReadyConnection): void {
  if (!ready.wanted()) return
  const socket = connect({ path: ready.path, allowHalfOpen: true })
  let used = false
  socket.on('error', () => undefined)
  socket.once('readable', () => {
    // An end without a word is the other side that went away.
    if (socket.readableLength === 0) return void socket.destroy()
    used = true
    holdReady(ready)
    const { address: host, port } = ready.target
    joinSockets(socket, connect({ host, port, allowHalfOpen: true }))
  })
  socket.once('close', () => {
    if (!used) setTimeout(() => holdReady(ready), ready.retryMs).unref()
  })
  if (ready.greeting !== undefined) socket.write(ready.greeting)
}
