import type { Socket } from 'node:net'
import { connectInFolder } from '@svc/files'
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
  const socket = await whileAway(wait_ms, () => connectInFolder(folder))
  socket.write(`${sandbox_id} ${target}\n`)
  return socket
}
