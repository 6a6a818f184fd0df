import { readdirSync, watch } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { joinSockets } from '../../../network/join-sockets.ts'
import type { Address } from './fetch-boot.ts'

/** Visitors that may arrive at one proxy at once without waiting for a new connection to be made. */
const readyConnections = 16
const lookMs = 1_000
const retryMs = 100

/** Holds connections ready at each socket in the folder, as long as it is there. A visitor's first byte takes one. */
export function openFronts(folder: string, program: Address): void {
  const known = new Set<string>()
  const look = (): void => {
    for (const name of names(folder)) {
      if (known.has(name)) continue
      known.add(name)
      for (let count = 0; count < readyConnections; count += 1) hold(name)
    }
  }
  const hold = (name: string): void => {
    const socket = connect({ path: join(folder, name), allowHalfOpen: true })
    let used = false
    socket.on('error', () => undefined)
    socket.once('readable', () => {
      // An end without a word is a proxy that went away.
      if (socket.readableLength === 0) return void socket.destroy()
      used = true
      hold(name)
      joinSockets(socket, connect({ host: program.address, port: program.port, allowHalfOpen: true }))
    })
    socket.once('close', () => {
      if (!used) setTimeout(() => again(name), retryMs).unref()
    })
  }
  /** A socket that is gone takes its connections along; its name is never used again. */
  const again = (name: string): void => {
    if (names(folder).includes(name)) hold(name)
    else known.delete(name)
  }
  look()
  // Where the folder cannot be watched, it is looked at.
  try {
    watch(folder, look)
      .on('error', () => undefined)
      .unref()
  } catch {
    // See above.
  }
  setInterval(look, lookMs).unref()
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
