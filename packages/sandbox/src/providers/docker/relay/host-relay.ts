import { chmod, mkdir, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { DockerPaths } from '../paths.ts'
import { type Authority, parseAuthority } from '../../../network/authority.ts'
import { joinSockets } from '../../../network/join-sockets.ts'
import { readLine } from '../../../network/read-line.ts'
import { serveSocket, type SocketServer } from '../../../network/serve-socket.ts'
import { createIdlePool } from './idle-pool.ts'

export interface RelayParts {
  readonly paths: DockerPaths
  /** The sandbox's instructions at its start; null when it was told before. */
  readonly boot: () => Promise<object | null>
  readonly dial: (wanted: Authority) => Promise<Socket>
}

export interface HostRelay extends SocketServer {
  /** True while the sockets are this relay's; another process of the platform may have taken them over. */
  isCurrent(): Promise<boolean>
}

/** Connections of each sandbox, so that one that opens too many starves itself and not the platform. */
const max_connections = 256
const timeoutMs = 10_000

/**
 * The host's end of a sandbox's only way out: it listens on two sockets, one for the platform and one for the sandbox,
 * and knows whose sandbox it is by the folder that is mounted there. The sandbox connects for everything, also to be
 * connected to, because a socket of its own making could be a link to one of the host's.
 */
export async function openHostRelay({ paths, boot, dial }: RelayParts): Promise<HostRelay> {
  const idle = createIdlePool(timeoutMs)
  await mkdir(paths.shared, { recursive: true, mode: 0o755 })
  await chmod(paths.shared, 0o755)

  const serve = async (socket: Socket): Promise<void> => {
    const [word, place = ''] = ((await readLine(socket)) ?? '').split(' ')
    if (word === 'in') return idle.add(socket)
    if (word === 'boot') return void socket.end(`${JSON.stringify(await boot())}\n`)
    const wanted = word === 'to' ? parseAuthority(place) : null
    if (wanted === null) return void socket.destroy()
    try {
      const target = await dial(wanted)
      socket.write('ok\n')
      joinSockets(socket, target)
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      socket.end(`no ${words.replaceAll('\n', ' ')}\n`)
    }
  }
  const outward = await serveSocket({ path: paths.relay, mode: 0o666, max_connections, serve })
  const inward = await serveSocket({ path: paths.inward, mode: 0o600, max_connections, serve: idle.take })
  const inodes = await Promise.all([inodeOf(paths.relay), inodeOf(paths.inward)])
  return {
    isCurrent: async () =>
      (await inodeOf(paths.relay)) === inodes[0] && (await inodeOf(paths.inward)) === inodes[1],
    close: async (force) => {
      idle.close()
      await Promise.all([outward.close(force), inward.close(force)])
    },
  }
}

async function inodeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ ino }) => ino,
    () => null,
  )
}
