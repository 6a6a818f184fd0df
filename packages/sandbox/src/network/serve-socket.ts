import { chmod, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { listenUnseen } from './listen-unseen.ts'
import { untilQuiet } from './until-quiet.ts'

export interface SocketServer {
  /**
   * Takes no more connections, and ends each once its answer has come; what is left when `force` is aborted is broken off,
   * and without `force` everything is.
   */
  close(force?: AbortSignal): Promise<void>
}

/** A unix socket of a relay, in the place of one that an ended process left there. */
export async function serveSocket(parts: {
  readonly path: string
  readonly mode: number
  readonly max_connections?: number
  /** A connection whose work fails is ended. */
  readonly serve: (socket: Socket) => Promise<void> | void
}): Promise<SocketServer> {
  /** With what was written to each when it last asked for something. */
  const open = new Map<Socket, number>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.set(socket, 0)
    // A listener for data that came first would take it: a connection may wait to be joined.
    socket.once('resume', () => socket.on('data', () => open.set(socket, socket.bytesWritten)))
    socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
    void (async () => parts.serve(socket))().catch(() => socket.destroy())
  })
  if (parts.max_connections !== undefined) server.maxConnections = parts.max_connections
  await rm(parts.path, { force: true })
  await listenUnseen(server, parts.path)
  await chmod(parts.path, parts.mode)
  return {
    close: async (force) => {
      const closed = new Promise((resolve) => server.close(resolve))
      if (force !== undefined) await untilQuiet(open, force)
      for (const socket of open.keys()) socket.destroy()
      await closed
    },
  }
}
