import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { dialEndpoint } from '../programs/dial-endpoint.ts'
import type { SandboxEndpoint } from '../provider.ts'
import { frontsScheme } from './fronts-url.ts'
import { openReadySocket } from './ready-socket.ts'

/** The way of visitors to one program. */
export interface Front {
  /** A connection of its own, over which HTTP is spoken; rejects when the sandbox does not answer in time. */
  connect(signal?: AbortSignal): Promise<Socket>
  /** Connections that were given are their users' to end. */
  close(): Promise<void>
}

/** Reads what `Programs.front` gave. Nothing is opened before the first connection is asked for. */
export function connectFront(endpoint: SandboxEndpoint): Front {
  if (!endpoint.url.startsWith(frontsScheme))
    return { connect: (signal) => dialEndpoint(endpoint, signal), close: async () => undefined }
  const folder = fileURLToPath(`file:${endpoint.url.slice(frontsScheme.length)}`)
  let opening: ReturnType<typeof openReadySocket> | null = null
  return {
    connect: async (signal) => {
      opening ??= openReadySocket(folder).catch((error: unknown) => {
        opening = null
        throw error
      })
      return (await opening).take(signal)
    },
    close: async () => {
      const opened = await opening?.catch(() => null)
      opening = null
      await opened?.close()
    },
  }
}

type Connected = (...args: [error: null, socket: Socket] | [error: Error, socket: null]) => void

/** A front as the `connect` of an undici pool. */
export function frontConnector(front: Front): (options: object, done: Connected) => void {
  return (_options, done) => {
    front.connect().then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}
