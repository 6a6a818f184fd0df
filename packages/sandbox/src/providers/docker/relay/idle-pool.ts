import type { Socket } from 'node:net'
import { joinSockets } from '../../../network/join-sockets.ts'

export interface IdlePool {
  /** A connection that the sandbox holds ready. */
  add(socket: Socket): void
  /** A caller, joined with the next ready connection. */
  take(caller: Socket): void
  /** Ends those that have not met. */
  close(): void
}

/** Callers wait a while for a sandbox that is still coming up. */
export function createIdlePool(timeoutMs: number): IdlePool {
  /** With what is done when one says something before it has a caller: it can only be its end. */
  const ready = new Map<Socket, () => void>()
  const waiting = new Map<Socket, NodeJS.Timeout>()

  const meet = (caller: Socket, socket: Socket): void => {
    const noticed = ready.get(socket)
    if (noticed !== undefined) socket.off('readable', noticed)
    ready.delete(socket)
    clearTimeout(waiting.get(caller))
    waiting.delete(caller)
    joinSockets(caller, socket)
  }
  return {
    add: (socket) => {
      const [caller] = [...waiting.keys()].filter((one) => !one.destroyed)
      if (caller !== undefined) return meet(caller, socket)
      const noticed = (): void => void socket.destroy()
      ready.set(socket, noticed)
      socket.once('close', () => ready.delete(socket))
      socket.on('readable', noticed)
    },
    take: (caller) => {
      const [socket] = [...ready.keys()].filter((one) => !one.destroyed)
      if (socket !== undefined) return meet(caller, socket)
      waiting.set(
        caller,
        setTimeout(() => caller.destroy(), timeoutMs),
      )
      caller.once('close', () => {
        clearTimeout(waiting.get(caller))
        waiting.delete(caller)
      })
    },
    close: () => {
      for (const socket of [...ready.keys(), ...waiting.keys()]) socket.destroy()
    },
  }
}
