import { renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { listenUnseen } from '../../../network/listen-unseen.ts'

export interface Listener {
  readonly fd: number
  /** Call once the daemon has the descriptor: from then on the socket is its own, and has its final name. */
  handOver(): void
  /** Closes it for a start that failed before the hand-over; later it does nothing. */
  close(): void
}

/**
 * A listening socket for a daemon to inherit. The sandbox never has the path, so nothing in it can put another socket in
 * its place; and it lives as long as the daemon, not as long as this process.
 */
export async function openListener(path: string): Promise<Listener> {
  const draft = `${path}+`
  rmSync(draft, { force: true })
  const server = createServer()
  await listenUnseen(server, draft)
  return {
    fd: descriptorOf(server),
    handOver: () => {
      // Closing removes the name that was listened on, which is then no longer there.
      renameSync(draft, path)
      server.close()
    },
    close: () => void (server.listening && server.close()),
  }
}

/** Node has no public name for the descriptor of a server. */
function descriptorOf(server: object): number {
  const handle: unknown = Reflect.get(server, '_handle')
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : null
  if (typeof fd !== 'number' || fd < 0) throw new Error('A listening socket has no descriptor.')
  return fd
}
