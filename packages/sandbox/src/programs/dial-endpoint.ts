import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { SandboxEndpoint } from '../provider.ts'

const timeoutMs = 5_000

/** A connection to where a sandbox answers. Rejects when it is not accepted in time. */
export function dialEndpoint({ url: text, ca }: SandboxEndpoint, signal?: AbortSignal): Promise<Socket> {
  const url = new URL(text)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  switch (url.protocol) {
    case 'unix:':
      return opened(connect({ path: decodeURIComponent(url.pathname) }), 'connect', signal)
    case 'http:': {
      const port = Number(url.port || 80)
      return opened(connect({ host, port, noDelay: true }), 'connect', signal)
    }
    case 'https:': {
      const port = Number(url.port || 443)
      const trust = ca === undefined ? {} : { ca }
      return opened(connectSecurely({ host, port, servername: host, ...trust }), 'secureConnect', signal)
    }
    default:
      return Promise.reject(new Error(`A program cannot be reached at ${text}`))
  }
}

function opened<T extends Socket>(
  socket: T,
  event: 'connect' | 'secureConnect',
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => void socket.destroy(new Error('The sandbox does not answer'))
    const timer = setTimeout(late, timeoutMs)
    const leave = (): void => void socket.destroy(new Error('Its caller left'))
    signal?.addEventListener('abort', leave, { once: true })
    if (signal?.aborted) leave()
    const settle = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    socket
      .once('error', reject)
      .once('close', () => {
        settle()
        reject(new Error('The sandbox closed the connection'))
      })
      .once(event, () => {
        settle()
        socket.off('error', reject)
        resolve(socket)
      })
  })
}
