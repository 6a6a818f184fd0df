import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'

/** Connects to the first socket of a folder at which a process listens; those of ended processes refuse. */
export async function connectInFolder(folder: string): Promise<Socket> {
  for (const name of await readdir(folder)) {
    const socket = await dial(join(folder, name)).catch(() => null)
    if (socket !== null) return socket
  }
  throw new Error('No process of the platform is there to pass anything on')
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
