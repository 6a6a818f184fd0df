import { chmod, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { listenUnseen } from './listen-unseen.ts'

export interface SocketServer {
  /** Breaks off what is served. */
  close(): Promise<void>
}

/** A unix socket of a relay, in the place of one that an ended process left there. */
export async function serveSocket(parts: {
  readonly path: string
  readonly mode: number
  readonly max_connections?: number
  /** A connection whose work fails is ended. */
  readonly serve: (socket: Socket) => Promise<void> | void
}): Promise<SocketServer> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
    void (async () => parts.serve(socket))().catch(() => socket.destroy())
  })
  if (parts.max_connections !== undefined) server.maxConnections = parts.max_connections
  await rm(parts.path, { force: true })
  await listenUnseen(server, parts.path)
  await chmod(parts.path, parts.mode)
  return {
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
