import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import type { Server } from 'node:net'
import { basename, dirname } from 'node:path'

/**
 * Listens on a unix socket by a name that says nothing of this machine. The kernel shows the name that a socket was
 * bound by to those who connect to it, in /proc/net/unix and as their peer's address: sandboxes are among them. The
 * folder stays open as long as the server, which removes the socket by that same name.
 */
export async function listenUnseen(server: Server, path: string): Promise<void> {
  const folder = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY)
  const close = () => closeSync(folder)
  server.listen(`/proc/self/fd/${folder}/${basename(path)}`)
  await once(server, 'listening').catch((error: unknown) => {
    close()
    throw error
  })
  server.once('close', close)
}
