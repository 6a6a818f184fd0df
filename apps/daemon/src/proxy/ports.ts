import { connect } from 'node:net'
import type { IsOurs } from './own-sockets.ts'

export interface PortPath {
  readonly port: number
  /** The path to ask of the process behind the port, query included. */
  readonly path: string
}

/** `/proxy/{port}/…`; null for any other path, "invalid" for a port that cannot be. */
export function parsePortPath(url: string): PortPath | 'invalid' | null {
  const found = /^\/proxy(?:\/([^/?]*))?(\/[^?]*)?(\?.*)?$/.exec(url)
  if (!found) return null
  const [, digits = '', path = '/', query = ''] = found
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
  return port >= 1 && port <= 65_535 ? { port, path: path + query } : 'invalid'
}

const connectMs = 2_000

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectMs })
    const done = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('timeout', () => done(false))
  })
}

/** Programs choose for themselves which of the sandbox's own addresses they listen on. */
export async function findListener(
  hosts: readonly string[],
  port: number,
  isOurs: IsOurs,
): Promise<string | null> {
  for (const host of hosts) if ((await isOurs(host, port)) && (await listens(host, port))) return host
  return null
}
