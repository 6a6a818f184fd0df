import { chmod } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { listenUnseen } from '../network/listen-unseen.ts'
import { newSocketPath, removeUnserved } from '../network/unix-sockets.ts'

const timeoutMs = 5_000

/** A socket at which a sandbox holds connections ready. */
export interface ReadySocket {
  /** The next ready connection, waited for while the sandbox is still coming. */
  take(signal?: AbortSignal): Promise<Socket>
  close(): Promise<void>
}

/** Opens a socket of this process's own in the folder, and removes those of processes that are gone. */
export async function openReadySocket(folder: string): Promise<ReadySocket> {
  const ready = new Set<Socket>()
  const waiting = new Set<(socket: Socket) => void>()
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    const [first] = waiting
    if (first !== undefined) return first(socket)
    ready.add(socket)
    // One that says something before it was asked can only have ended.
    const noticed = (): void => void (ready.has(socket) && socket.destroy())
    socket.once('readable', noticed).once('close', () => ready.delete(socket))
  })
  await removeUnserved(folder)
  const path = newSocketPath(folder)
  await listenUnseen(server, path)
  await chmod(path, 0o666)
  server.unref()
  return {
    take: (signal) => {
      for (const socket of ready) {
        ready.delete(socket)
        if (!socket.destroyed) return Promise.resolve(socket)
      }
      return next(waiting, signal)
    },
    close: async () => {
      for (const socket of ready) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function next(waiting: Set<(socket: Socket) => void>, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer)
      waiting.delete(give)
      signal?.removeEventListener('abort', leave)
    }
    const give = (socket: Socket): void => {
      settle()
      resolve(socket)
    }
    const refuse = (words: string): void => {
      settle()
      reject(new Error(words))
    }
    const leave = (): void => refuse('Its caller left')
    const timer = setTimeout(() => refuse('The sandbox does not answer'), timeoutMs)
    waiting.add(give)
    signal?.addEventListener('abort', leave, { once: true })
    if (signal?.aborted) leave()
  })
}
