import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { whileAway } from '@svc/timing'

/** The way out of a sandbox with a network of its own, and the addresses that listen inside for it. */
export interface RelaySettings {
  /** The relays of the platform's processes, a socket each; the ones of ended processes refuse. */
  readonly folder: string
  readonly sandbox_id: string
  /** `host:port` of the proxy that programs are told of. */
  readonly proxy: string
  /** Platform addresses, `host:port`, that are loopback ones: the daemon listens there and passes everything on. */
  readonly targets: readonly string[]
  /** The time that the other side is waited for while it is away. */
  readonly wait_ms: number
}

/**
 * A connection that goes to `target` from the other side on, or speaks to the platform's proxy. While no process of the
 * platform is there it is waited for.
 */
export async function dialRelay(
  { folder, sandbox_id, wait_ms }: RelaySettings,
  target: 'proxy' | string,
): Promise<Socket> {
  return whileAway(wait_ms, async () => {
    for (const name of await readdir(folder)) {
      const socket = await dial(join(folder, name)).catch(() => null)
      if (socket === null) continue
      socket.write(`${sandbox_id} ${target}\n`)
      return socket
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
